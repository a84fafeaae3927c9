import type { Turns } from '../../ports/turns.ts'

/** Work gives way after holding the event loop for so many milliseconds. */
const SLICE = 15

let since = performance.now()
const waiting: (() => void)[] = []

/** All work of the process shares one slice. */
export const nodeTurns: Turns = {
  give() {
    if (performance.now() - since < SLICE) return undefined
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(goOn)
    })
  },
}

/** One waiting caller runs in each turn: all at once would hold the loop for a slice each. */
function goOn(): void {
  since = performance.now()
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(goOn)
}
