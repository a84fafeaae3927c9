import { clockAdvance, clockChange, clockMove, clockState } from '../records/control/clock.ts'
import { defineControl } from './define.ts'

export const clockOperations = defineControl('Clock', {
  readClock: { summary: "The world's time", reply: clockState },
  setClock: {
    summary: 'Set any time, or freeze the clock',
    body: clockChange,
    reply: clockMove,
    example: { body: { frozen: true } },
  },
  advanceClock: {
    summary: 'Go forward; what falls due has happened when it answers',
    body: clockAdvance,
    reply: clockMove,
    example: { body: { duration: 'PT1H' } },
  },
  resetClock: { summary: 'Back to real time', reply: clockMove },
})
