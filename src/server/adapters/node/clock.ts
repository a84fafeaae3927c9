import type { Clock } from '../../ports/clock.ts'

/** Milliseconds, finer than they are, from whenever. */
export const systemTimer = (): number => performance.now()

export const systemClock: Clock = { now: () => Date.now() }
