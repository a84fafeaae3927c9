import type { Clock } from '#server/ports/clock.ts'

/** Milliseconds with fractions since an arbitrary fixed time. Unlike the system clock, it never jumps. */
export const systemTimer = (): number => performance.now()

export const systemClock: Clock = { now: () => Date.now() }
