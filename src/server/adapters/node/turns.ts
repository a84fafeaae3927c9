import type { Turns } from '../../ports/turns.ts'

/** Milliseconds that work holds the event loop before it gives way. */
const SLICE = 15

let since = performance.now()
const waiting: (() => void)[] = []

/** For all work of the process: what gives way counts for what runs after it. */
export const nodeTurns: Turns = {
  give() {
    if (performance.now() - since < SLICE) return undefined
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(goOn)
    })
  },
}

/** One a turn of the event loop: all at once would hold it for a slice each. */
function goOn(): void {
  since = performance.now()
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(goOn)
}
