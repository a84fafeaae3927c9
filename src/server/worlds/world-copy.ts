import type { WorldContent } from '../adapters/engine.ts'
import { forEachInTurns } from '../adapters/memory/for-each-in-turns.ts'
import { compareValues, type RecordSource, type Stored } from '../adapters/record.ts'
import type { WorldCopy } from '../ports/worlds.ts'
import { type CollectionName, collections } from '../../contract/records/collections.ts'

/** What a world held, as its engine shares it with forks: nothing of it is made before it is read. */
export function toWorldCopy({ records, blobs }: Pick<WorldContent, 'records' | 'blobs'>): WorldCopy {
  return { read: (name) => readByKey(name, records.get(name)), blobs: new Map(blobs) }
}

export async function readByKey(name: CollectionName, source: RecordSource = []): Promise<readonly Stored[]> {
  const { key } = collections[name]
  const found: Stored[] = []
  await forEachInTurns(typeof source === 'function' ? source() : source, (record) => void found.push(record))
  return found.sort((a, b) => compareValues(a[key], b[key]))
}
