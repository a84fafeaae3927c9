import { defineOperations } from '../operation.ts'
import { clockAdvance, clockChange, clockMove, clockState } from '../records/control/clock.ts'
import { controlRoutes } from './routes.ts'

export const clockOperations = defineOperations(
  { scope: 'control', tag: 'Clock' },
  {
    readClock: {
      route: controlRoutes.readClock,
      summary: "The world's time",
      reply: clockState,
      further: [400],
    },
    setClock: {
      route: controlRoutes.setClock,
      summary: 'Set any time, or freeze the clock',
      body: clockChange,
      reply: clockMove,
      further: [400],
    },
    advanceClock: {
      route: controlRoutes.advanceClock,
      summary: 'Go forward; what falls due has happened when it answers',
      body: clockAdvance,
      reply: clockMove,
      further: [400],
    },
    resetClock: {
      route: controlRoutes.resetClock,
      summary: 'Back to real time',
      reply: clockMove,
      further: [400],
    },
  },
)
