import type { ClockControl, ClockMove } from '#server/ports/clock.ts'
import { Unavailable } from '#server/ports/failures.ts'
import { type Snapshot, toClockPlace } from '#contract/records/snapshot.ts'
import type { StoredClock, WorldStorage } from '../engine.ts'
import { createSerialQueue } from '../serial-queue.ts'

/** Two instances may move a clock in parallel, so the second one retries. */
const TRIES = 5

export interface ClockKeeping extends Pick<WorldStorage, 'saveClock'> {
  /** Rejects while no move can be kept. */
  ping(): Promise<void>
  moves: number
  /** Runs no due tasks. */
  place(clock: Snapshot['clock']): void
}

/** A move is kept before it is answered, and undone when it cannot be kept. */
export function createStoredClock(clock: ClockControl, { saveClock, ping, place, moves }: ClockKeeping) {
  let known = moves
  let doubted: number | undefined
  const inOrder = createSerialQueue()

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
      // Tries again from where another instance has put the clock.
      place(other.clock)
    }
    throw new Unavailable('other instances are moving the clock')
  }

  const control: ClockControl = {
    read: () => clock.read(),
    set: (change) => inOrder(() => keep(() => clock.set(change))),
    advance: (milliseconds) => inOrder(() => keep(() => clock.advance(milliseconds))),
    reset: () => inOrder(() => keep(() => clock.reset())),
  }
  return {
    control,
    /** Another instance has moved the clock, unless this is already known. */
    follow(kept: StoredClock): void {
      // Fewer moves mean that they were read before the last one was kept, or that the store was put back.
      const isOutdated = kept.moves < known && kept.moves !== doubted
      doubted = kept.moves < known ? kept.moves : undefined
      if (isOutdated || kept.moves === known) return
      known = kept.moves
      place(kept.clock)
    },
  }
}
