import type { Turns } from '../../ports/turns.ts'

/** Work gives way after so many milliseconds. */
const SLICE = 15

/**
 * All work that takes these turns shares one slice, which one waiting caller after the other uses up. The loop then
 * polls twice before the next slice, so whoever connects and asks waits for one slice, however many others work long.
 */
export function createTurns(now: () => number): Turns {
  const waiting: (() => void)[] = []
  let end = Number.NEGATIVE_INFINITY
  let hasRested = false

  function goOn(): void {
    const isOver = now() >= end
    if (isOver && hasRested) end = now() + SLICE
    hasRested = isOver && !hasRested
    if (!hasRested) waiting.shift()!()
    if (waiting.length > 0) setImmediate(goOn)
  }

  return {
    give() {
      if (now() < end) return undefined
      return new Promise((resolve) => {
        if (waiting.push(resolve) === 1) setImmediate(goOn)
      })
    },
  }
}

export const nodeTurns = createTurns(() => performance.now())
