import type { Clock } from '../../src/server/ports/clock.ts'

/** Time is paused until a test moves it. */
export interface ManualClock extends Clock {
  /** Negative milliseconds go back. */
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
