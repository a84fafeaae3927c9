import type { ClockControl, ClockMove } from '../../ports/clock.ts'
import { Unavailable } from '../../ports/failures.ts'
import { type Snapshot, toClockPlace } from '../../../contract/records/snapshot.ts'
import type { StoredClock, WorldStorage } from '../engine.ts'
import { createSerialQueue } from '../serial-queue.ts'

/** Two instances that move a clock at once move it one after the other. */
const TRIES = 5

export interface ClockKeeping extends Pick<WorldStorage, 'saveClock'> {
  /** Rejects when nothing can be kept now. */
  ping(): Promise<void>
  moves: number
  /** Puts the clock somewhere, without anything falling due on the way. */
  place(clock: Snapshot['clock']): void
}

/** A clock whose moves are kept before they are answered, and undone when they cannot be kept. */
export function createStoredClock(clock: ClockControl, { saveClock, ping, place, moves }: ClockKeeping) {
  let known = moves
  let doubted: number | undefined
  const inTurn = createSerialQueue()

  async function keep(move: () => Promise<ClockMove>): Promise<ClockMove> {
    for (let tries = 0; tries < TRIES; tries++) {
      await ping()
      const [before, since] = [toClockPlace(clock.read()), known]
      const state = await move()
      const other = await saveClock(toClockPlace(state), since).catch((error: unknown) => {
        place(before)
        throw error
      })
      known = other?.moves ?? since + 1
      if (!other) return state
      // Once more, from where another instance has put it.
      place(other.clock)
    }
    throw new Unavailable('other instances move the clock')
  }

  const control: ClockControl = {
    read: () => clock.read(),
    set: (change) => inTurn(() => keep(() => clock.set(change))),
    advance: (milliseconds) => inTurn(() => keep(() => clock.advance(milliseconds))),
    reset: () => inTurn(() => keep(() => clock.reset())),
  }
  return {
    control,
    /** Another instance has moved it, unless this is known already. */
    follow(kept: StoredClock): void {
      // Fewer moves were read before the last one was kept, or else what keeps them was put back to an older state.
      const isBehind = kept.moves < known && kept.moves !== doubted
      doubted = kept.moves < known ? kept.moves : undefined
      if (isBehind || kept.moves === known) return
      known = kept.moves
      place(kept.clock)
    },
  }
}
