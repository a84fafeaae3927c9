import type { WorldContent } from '../adapters/engine.ts'
import { nodeTurns } from '../adapters/node/turns.ts'
import { compareValues, type Stored } from '../adapters/record.ts'
import type { WorldCopy } from '../ports/worlds.ts'
import { collections } from '../../contract/records/collections.ts'

/** What a world held, as its engine shares it with forks: nothing of it is made before it is read. */
export function toWorldCopy({ records, blobs }: Pick<WorldContent, 'records' | 'blobs'>): WorldCopy {
  return {
    async read(name) {
      const { key } = collections[name]
      const source = records.get(name) ?? []
      const found: Stored[] = []
      for (const record of typeof source === 'function' ? source() : source) {
        found.push(record)
        const turn = nodeTurns.give()
        if (turn) await turn
      }
      return found.sort((a, b) => compareValues(a[key], b[key]))
    },
    blobs: new Map(blobs),
  }
}
