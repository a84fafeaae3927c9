import type { ClockControl, ClockMove } from '#server/ports/clock.ts'
import { Unavailable } from '#server/ports/failures.ts'
import { type Snapshot, toClockPlace } from '#contract/records/snapshot.ts'
import type { StoredClock, WorldStorage } from '../engine.ts'
import { createSerialQueue } from '../serial-queue.ts'

/** Maximum number of attempts. If two instances move a clock at the same time, the second one must retry. */
const TRIES = 5

export interface ClockKeeping extends Pick<WorldStorage, 'saveClock'> {
  ping(): Promise<void>
  moves: number
  /** Sets the clock without running due tasks. */
  place(clock: Snapshot['clock']): void
}

/** A move that cannot be stored is undone. */
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
    /** Applies a move that another instance has made, unless this clock has already applied it. */
    follow(kept: StoredClock): void {
      // The first read of a lower number may be outdated. The same number again means a restored database.
      const isOutdated = kept.moves < known && kept.moves !== doubted
      doubted = kept.moves < known ? kept.moves : undefined
      if (isOutdated || kept.moves === known) return
      known = kept.moves
      place(kept.clock)
    },
  }
}
