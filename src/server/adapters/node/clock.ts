import type { Clock } from '#server/ports/clock.ts'

/** In milliseconds since an arbitrary time. Unlike the system clock, it never jumps. */
export const systemTimer = (): number => performance.now()

export const systemClock: Clock = { now: () => Date.now() }
