import { clockOperations } from '#contract/control/clock.ts'
import { advanceClock, readClock, resetClock, setClock } from '../domain/control/clock.ts'
import { implementControl } from './context.ts'

export const clock = implementControl(clockOperations, {
  readClock: async ({ ports }) => readClock(ports),
  setClock: async ({ ports, body }) => setClock(ports, body),

  advanceClock: async ({ ports, body }) => advanceClock(ports, body),
  resetClock: async ({ ports }) => resetClock(ports),
})
