import { UnusableState } from '../ports/failures.ts'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import { migrateSnapshot } from '#contract/records/snapshot-migrations.ts'
import type { WorldRecord } from './engine.ts'
import { deepFreeze, type Stored } from './record.ts'

type RecordLists = Map<CollectionName, Stored[]>

/** Older records take the same steps as older snapshots. */
export function migrateWorld(
  record: WorldRecord,
  lists: RecordLists,
  schemaVersion: number,
): { record: WorldRecord; records: RecordLists } {
  const records = Object.fromEntries(lists)
  const migrated = migrateSnapshot({ schemaVersion, clock: record.clock, faults: [], records, blobs: {} })
  if ('reason' in migrated) throw new UnusableState(`what is kept cannot be read: its version ${migrated.reason}`)
  const value = migrated.value as Pick<WorldRecord, 'clock'> & { records: Record<CollectionName, unknown[]> }
  const checked = Object.entries(value.records).map(([name, list]) => {
    return [name as CollectionName, list.map((each) => check(name as CollectionName, each))] as const
  })
  return { record: { ...record, clock: value.clock }, records: new Map(checked) }
}

function check(name: CollectionName, value: unknown): Stored {
  const result = collections[name].schema.safeParse(value)
  if (result.success) return deepFreeze(result.data as Stored)
  throw new UnusableState(`a record of ${name} cannot be brought up to date: ${result.error.message}`)
}
