import type { Turns } from '../../ports.ts'

/** Milliseconds that work holds the event loop before it gives way. */
const SLICE = 15

let since = performance.now()

/** For all work of the process: what gives way counts for what runs after it. */
export const nodeTurns: Turns = {
  give() {
    return performance.now() - since < SLICE ? undefined : giveWay()
  },
}

async function giveWay(): Promise<void> {
  await new Promise(setImmediate)
  since = performance.now()
}
