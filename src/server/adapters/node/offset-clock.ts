import type { Clock, ClockState } from '../../ports/clock.ts'

/** Real time and an offset, or standing still: what a clock shows, and where it is put. */
export function createOffsetClock(real: Clock) {
  let offsetMs = 0
  let frozenAt: number | undefined

  return {
    now: () => frozenAt ?? real.now() + offsetMs,
    isFrozen: () => frozenAt !== undefined,
    read(): ClockState {
      const realNow = real.now()
      const isRunning = frozenAt === undefined
      return { now: frozenAt ?? realNow + offsetMs, frozen: !isRunning, offsetMs: isRunning ? offsetMs : 0, realNow }
    },
    /** `realNow` is the instant that `at` was reckoned from: what passes while it is put there moves it nowhere. */
    place(at: number, frozen: boolean, realNow: number = real.now()): void {
      offsetMs = at - realNow
      frozenAt = frozen ? at : undefined
    },
  }
}
