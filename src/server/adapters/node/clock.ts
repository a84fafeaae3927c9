import type { Clock } from '#server/ports/clock.ts'

/**
 * Returns milliseconds, with fractions, since an arbitrary fixed time. Unlike the system clock, this value never jumps.
 */
export const systemTimer = (): number => performance.now()

export const systemClock: Clock = { now: () => Date.now() }
