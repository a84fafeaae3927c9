import type { ClockControl, ClockState } from '../ports.ts'
import type { Snapshot } from '../schemas/snapshot.ts'
import { toClockPlace } from './engine.ts'

/** A clock whose moves are kept before they are answered. */
export function keepClock(clock: ClockControl, save: (place: Snapshot['clock']) => Promise<void>): ClockControl {
  const keep = async (move: Promise<ClockState>) => {
    const state = await move
    await save(toClockPlace(state))
    return state
  }
  return {
    read: () => clock.read(),
    set: (change) => keep(clock.set(change)),
    advance: (milliseconds) => keep(clock.advance(milliseconds)),
    reset: () => keep(clock.reset()),
  }
}
