import type { CaseHeader } from './case.ts'
import type { StoredRecord } from '../records/snapshot.ts'
import { migrateSnapshot } from '../records/snapshot-migrations.ts'

export interface FixtureWorld {
  records: Readonly<Record<string, readonly StoredRecord[]>>
  keys: Readonly<Record<string, string>>
}

/** An older snapshot is not migrated here; its reader does that. */
export async function toSnapshot(
  { start, snapshot, changed }: CaseHeader,
  open: (start: string) => Promise<FixtureWorld>,
): Promise<Record<string, unknown>> {
  if (snapshot) return snapshot
  const migrated = migrateSnapshot(changed)
  if ('reason' in migrated) throw new Error(`changed.schemaVersion ${migrated.reason}`)
  const value = migrated.value as NonNullable<typeof changed>
  const { schemaVersion, clock = { frozenAt: start }, faults = [], records = {}, gone = {}, blobs = {} } = value
  const fixtures = await open(start)
  const names = new Set([...Object.keys(fixtures.records), ...Object.keys(records)])
  const whole = [...names].map((name) => {
    const key = fixtures.keys[name] ?? ''
    const own = records[name] ?? []
    const replaced = new Set([...own.map((record) => record[key]), ...(gone[name] ?? [])])
    const left = (fixtures.records[name] ?? []).filter((record) => !replaced.has(record[key]))
    return [name, [...left, ...own]]
  })
  return { schemaVersion, clock, faults, records: Object.fromEntries(whole), blobs }
}
