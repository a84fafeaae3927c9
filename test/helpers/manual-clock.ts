import type { Clock } from '../../src/server/ports/clock.ts'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Milliseconds; negative goes back. */
  advance(milliseconds: number): void
  set(instant: string): void
}

export function createManualClock(startsAt: string): ManualClock {
  let now = Date.parse(startsAt)
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
    set: (instant) => {
      now = Date.parse(instant)
    },
  }
}
