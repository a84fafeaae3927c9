import type { Clock } from '#server/ports/clock.ts'

/** Milliseconds with fractions, since any fixed instant; never jumps as the computer's clock may. */
export const systemTimer = (): number => performance.now()

export const systemClock: Clock = { now: () => Date.now() }
