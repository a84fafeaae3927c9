import { advanceClock, readClock, resetClock, setClock } from '../domain/control/clock.ts'
import { clockAdvance, clockChange, clockMove, clockState } from '../schemas/control/clock.ts'
import { controlOperation } from './context.ts'

export const clock = [
  controlOperation({
    operation: 'readClock',
    method: 'GET',
    path: '/_control/clock',
    tag: 'Clock',
    summary: "The world's time",
    reply: clockState,
    further: [400],
    run: async ({ ports }) => readClock(ports),
  }),

  controlOperation({
    operation: 'setClock',
    method: 'PUT',
    path: '/_control/clock',
    tag: 'Clock',
    summary: 'Set any time, or freeze the clock',
    body: clockChange,
    reply: clockMove,
    further: [400],
    run: async ({ ports, body }) => setClock(ports, body),
  }),

  controlOperation({
    operation: 'advanceClock',
    method: 'POST',
    path: '/_control/clock/advance',
    tag: 'Clock',
    summary: 'Go forward; what falls due has happened when it answers',
    body: clockAdvance,
    reply: clockMove,
    further: [400],
    run: async ({ ports, body }) => advanceClock(ports, body),
  }),

  controlOperation({
    operation: 'resetClock',
    method: 'DELETE',
    path: '/_control/clock',
    tag: 'Clock',
    summary: 'Back to real time',
    reply: clockMove,
    further: [400],
    run: async ({ ports }) => resetClock(ports),
  }),
]
