import { z } from 'zod'
import { fromBase64 } from './base64.ts'
import { type CollectionName, collections } from './collections.ts'
import { CLOCK_RANGE, isClockTime } from './control/clock.ts'
import { findIssues, type Issue, writePath } from './issues.ts'
import { recordsOf, type Snapshot, snapshot, type StoredRecord } from './snapshot.ts'
import { migrateSnapshot } from './snapshot-migrations.ts'

/** Without what there may be many of, which is checked one by one. */
const outline = snapshot.extend({
  records: z.record(z.string(), z.array(z.unknown())),
  blobs: z.record(snapshot.shape.blobs.keyType, z.string()),
})

interface Reading {
  sha256(bytes: Uint8Array): string
  /** Milliseconds since the epoch: a running clock must not leave its range. */
  realNow: number
  /** Lets others have their turn when it has been long. */
  giveWay(): Promise<void> | undefined
}

export interface SnapshotIssue extends Pick<Issue, 'code' | 'rule'> {
  target: string
}

/** A snapshot of this version or an older one, with every record checked; or everything that is wrong with it. */
export async function readSnapshot(
  given: unknown,
  reading: Reading,
): Promise<{ snapshot: Snapshot } | { issues: SnapshotIssue[] }> {
  const migrated = migrateSnapshot(given)
  if ('reason' in migrated) return { issues: [wrongAt('schemaVersion', migrated.reason)] }
  const whole = outline.safeParse(migrated.value)
  if (!whole.success) {
    const found = findIssues(outline, migrated.value)
    return { issues: found.map((issue) => ({ ...issue, target: writePath('', issue.path) })) }
  }
  const issues: SnapshotIssue[] = []
  const records: Record<string, StoredRecord[]> = {}
  for (const [name, given] of Object.entries(whole.data.records)) {
    if (!Object.hasOwn(collections, name)) issues.push(wrongAt(`records.${name}`, 'is no collection'))
    else records[name] = await readRecords(name as CollectionName, given, issues, reading)
  }
  const read = { ...whole.data, records }
  if ('offsetMs' in read.clock && !isClockTime(reading.realNow + read.clock.offsetMs)) {
    issues.push(wrongAt('clock.offsetMs', `puts the clock where none goes: it ${CLOCK_RANGE}`))
  }
  issues.push(...(await findWrongImages(read, reading)))
  return issues.length > 0 ? { issues } : { snapshot: read }
}

/** More findings help nobody, and a file of another kind would have one a record. */
const MOST_ISSUES = 100

async function readRecords(
  name: CollectionName,
  given: readonly unknown[],
  issues: SnapshotIssue[],
  { giveWay }: Reading,
): Promise<StoredRecord[]> {
  const { schema, key, indexes } = collections[name]
  const unique = [[key], ...indexes.filter((index) => 'unique' in index).map(({ on }) => on as readonly string[])]
  const taken = unique.map(() => new Set<string>())
  const read: StoredRecord[] = []
  for (const [position, value] of given.entries()) {
    if (issues.length >= MOST_ISSUES) break
    await giveWay()
    const target = `records.${name}[${position}]`
    const result = schema.safeParse(value)
    if (!result.success) {
      issues.push(...findIssues(schema, value).map((issue) => ({ ...issue, target: writePath(target, issue.path) })))
      continue
    }
    const record = result.data as StoredRecord
    unique.forEach((fields, i) => {
      const values = fields.map((field) => String(record[field])).join('\u0000')
      if (taken[i]!.has(values)) issues.push(wrongAt(`${target}.${fields.join(',')}`, 'is given twice'))
      taken[i]!.add(values)
    })
    read.push(record)
  }
  return read
}

/** Bytes under another's digest would be handed out as that image. */
async function findWrongImages(given: Snapshot, { sha256, giveWay }: Reading): Promise<SnapshotIssue[]> {
  const issues: SnapshotIssue[] = []
  const missing = new Set(recordsOf(given, 'symptomImages').map((image) => String(image['sha256'])))
  for (const [name, text] of Object.entries(given.blobs)) {
    await giveWay()
    missing.delete(name)
    if (!snapshot.shape.blobs.valueType.safeParse(text).success) issues.push(wrongAt(`blobs.${name}`, 'must be base64'))
    else if (sha256(fromBase64(text)) !== name) issues.push(wrongAt(`blobs.${name}`, 'holds bytes of another digest'))
  }
  for (const name of missing) {
    issues.push(wrongAt(`blobs.${name}`, 'is required: a record of symptomImages names it'))
  }
  return issues
}

const wrongAt = (target: string, rule: string): SnapshotIssue => ({ code: 'InvalidValue', rule, target })
