import { advanceClock, readClock, resetClock, setClock } from '../domain/control/clock.ts'
import { clockAdvance, clockChange, clockMove, clockState } from '../../contract/records/control/clock.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Clock')

export const clock = [
  declare({
    operation: 'readClock',
    route: 'GET /_control/clock',
    summary: "The world's time",
    reply: clockState,
    further: [400],
    run: async ({ ports }) => readClock(ports),
  }),

  declare({
    operation: 'setClock',
    route: 'PUT /_control/clock',
    summary: 'Set any time, or freeze the clock',
    body: clockChange,
    reply: clockMove,
    further: [400],
    run: async ({ ports, body }) => setClock(ports, body),
  }),

  declare({
    operation: 'advanceClock',
    route: 'POST /_control/clock/advance',
    summary: 'Go forward; what falls due has happened when it answers',
    body: clockAdvance,
    reply: clockMove,
    further: [400],
    run: async ({ ports, body }) => advanceClock(ports, body),
  }),

  declare({
    operation: 'resetClock',
    route: 'DELETE /_control/clock',
    summary: 'Back to real time',
    reply: clockMove,
    further: [400],
    run: async ({ ports }) => resetClock(ports),
  }),
]
