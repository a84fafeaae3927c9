import type { Turns } from '#server/ports/turns.ts'

/** Work gives way after so many milliseconds. */
const SLICE = 15
/** The first look may come in the same turn as the work, so that the loop has polled twice at the third. */
const RESTED = 3

/**
 * All work that takes these turns shares one slice, which one waiting caller after the other uses up. The loop then
 * polls twice before the next slice, so whoever connects and asks waits for one slice, however many others work long.
 */
export function createTurns(now: () => number): Turns {
  const waiting: (() => void)[] = []
  let end = Number.NEGATIVE_INFINITY
  /** Turns of the event loop since somebody worked. */
  let looks = 0
  let isLooking = false

  function look(): void {
    const isRested = ++looks >= RESTED
    if (isRested && waiting.length === 0) {
      isLooking = false
      return
    }
    if (isRested && now() >= end) end = now() + SLICE
    if (now() < end) goOn()
    setImmediate(look)
  }

  function goOn(): void {
    const resume = waiting.shift()
    if (!resume) return
    looks = 0
    resume()
  }

  return {
    give() {
      // Nobody works, so whoever begins need not wait.
      if (!isLooking) {
        isLooking = true
        end = now() + SLICE
        setImmediate(look)
      }
      if (now() >= end) return new Promise((resolve) => waiting.push(resolve))
      looks = 0
      return undefined
    },
  }
}

export const nodeTurns = createTurns(() => performance.now())
