import { MemoryTable } from '../adapters/memory/table.ts'
import { collectionOf, type RecordSource, recordsOf, type Stored, type WorldRecords } from '../adapters/record.ts'
import type { RecordChanges } from '../ports/store.ts'
import type { WorldCopy, WorldPast } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import type { CollectionName } from '#contract/records/collections.ts'
import type { InitialState } from './initial-state.ts'
import { readByKey } from './known-fixtures.ts'

/** Nothing is loaded before the copy is read. */
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

/** Applies the recorded changes to `began`, the state at the start of the recording. */
export async function toPastState(
  began: Pick<InitialState, 'records' | 'blobs'>,
  past: WorldPast,
): Promise<InitialState> {
  const { changes, seed, now, faults, head, blobs } = past
  return {
    seed,
    clock: { now, frozen: true },
    eventsFrom: head / 1000,
    records: await withChanges(began.records, changes),
    blobs: [...new Map([...began.blobs, ...blobs])],
    faults,
    since: { records: began.records, changes },
  }
}

async function withChanges(records: WorldRecords, changes: RecordChanges): Promise<WorldRecords> {
  const changed = new Map<CollectionName, RecordSource>(records)
  for (const [name, ofName] of changes) changed.set(name, await changeTable(name, records.get(name), ofName))
  return changed
}

async function changeTable(
  name: CollectionName,
  source: RecordSource = [],
  changes: ReadonlyMap<string, Stored | undefined>,
): Promise<MemoryTable> {
  const isTable = source instanceof MemoryTable
  const table = isTable ? source.copy() : new MemoryTable(collectionOf(name))
  if (!isTable) for await (const each of yielding(recordsOf(source))) table.add(each)
  for await (const [key, record] of yielding(changes)) {
    if (record) table.set(key, record)
    else table.delete(key)
  }
  return table
}
