import type { Turns } from '../../../src/server/ports/turns.ts'
import { machine } from './machine.ts'

/** As the real ones have it, in milliseconds. */
const SLICE = 15

let since = performance.now()

/**
 * In the place of `src/server/adapters/node/turns.ts` for tables, whose line would wait for ever behind a machine that
 * died in its turn. Those of a database that instances share give no way: what an instance has begun to fill of them
 * when it dies would never be filled.
 */
export const nodeTurns: Turns = {
  give: () => (machine.tablesAreShared || performance.now() - since < SLICE ? undefined : giveWay()),
}

async function giveWay(): Promise<void> {
  await new Promise(setImmediate)
  since = performance.now()
}
