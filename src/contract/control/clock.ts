import { clockAdvance, clockChange, clockMove, clockState } from '../records/control/clock.ts'
import { defineControl } from './define.ts'

export const clockOperations = defineControl('Clock', {
  readClock: { summary: 'Get the clock', reply: clockState },
  setClock: {
    summary: 'Set or freeze the clock',
    body: clockChange,
    reply: clockMove,
    example: { body: { frozen: true } },
  },
  advanceClock: {
    summary: 'Advance the clock',
    description: 'Runs everything that is due in the skipped time before the response is sent.',
    body: clockAdvance,
    reply: clockMove,
    example: { body: { duration: 'PT1H' } },
  },
  resetClock: { summary: 'Reset the clock to real time', reply: clockMove },
})
