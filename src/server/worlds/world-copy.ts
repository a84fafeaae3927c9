import { SortedRecords } from '../adapters/memory/sorted-records.ts'
import { type RecordSource, recordsOf, type Stored } from '../adapters/record.ts'
import type { WorldCopy } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import type { InitialState } from './initial-state.ts'

/** Shared as with a fork: nothing is made before it is read. */
export class SharedCopy implements WorldCopy {
  readonly state: Pick<InitialState, 'records' | 'blobs'>
  readonly blobs: ReadonlyMap<string, Uint8Array>

  constructor({ records, blobs }: InitialState) {
    this.state = { records, blobs }
    this.blobs = new Map(blobs)
  }

  read(name: CollectionName): Promise<readonly Stored[]> {
    return readByKey(name, this.state.records.get(name))
  }
}

export async function readByKey(name: CollectionName, source?: RecordSource): Promise<readonly Stored[]> {
  const { key } = collections[name]
  const found = new SortedRecords(key, key)
  for await (const record of yielding(recordsOf(source))) found.insert(record)
  return [...found.walk('asc')]
}
