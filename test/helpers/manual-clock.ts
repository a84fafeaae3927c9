import type { Clock } from '../../src/server/ports/clock.ts'

export interface ManualClock extends Clock {
  /** A negative number sets the clock back. */
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
