import type { Clock, ClockState } from '#server/ports/clock.ts'

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
    /** Time that passes between `realNow` and the call does not move the clock. */
    place(at: number, frozen: boolean, realNow: number = real.now()): void {
      offsetMs = at - realNow
      frozenAt = frozen ? at : undefined
    },
  }
}
