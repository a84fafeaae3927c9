import type { Turns } from '../src/ports.ts'
import * as real from '../src/adapters/node/turns.ts'
import { machine } from './machine.ts'

/**
 * In the place of `src/adapters/node/turns.ts` for tables. Those of a database that instances share give no way: what
 * an instance has begun to fill of them when it dies would never be filled.
 */
export const nodeTurns: Turns = {
  give: () => (machine.tablesAreShared ? undefined : real.nodeTurns.give()),
}
