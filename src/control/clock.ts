import { advanceClock, readClock, resetClock, setClock } from '../domain/control/clock.ts'
import { errorBody } from '../http/json-errors.ts'
import { clockAdvance, clockChange, clockMove, clockState } from '../schemas/control/clock.ts'
import type { ControlApp } from './context.ts'

export function clock(app: ControlApp): void {
  const response = { 200: clockMove, 400: errorBody, 403: errorBody }

  app.get('/_control/clock', {
    config: { operation: 'readClock' },
    schema: { tags: ['Clock'], summary: "The world's time", response: { ...response, 200: clockState } },
    handler: async ({ ports }) => readClock(ports),
  })

  app.put('/_control/clock', {
    config: { operation: 'setClock' },
    schema: { tags: ['Clock'], summary: 'Set any time, or freeze the clock', body: clockChange, response },
    handler: async ({ ports, body }) => setClock(ports, body),
  })

  app.post('/_control/clock/advance', {
    config: { operation: 'advanceClock' },
    schema: {
      tags: ['Clock'],
      summary: 'Go forward; what falls due has happened when it answers',
      body: clockAdvance,
      response,
    },
    handler: async ({ ports, body }) => advanceClock(ports, body),
  })

  app.delete('/_control/clock', {
    config: { operation: 'resetClock' },
    schema: { tags: ['Clock'], summary: 'Back to real time', response },
    handler: async ({ ports }) => resetClock(ports),
  })
}
