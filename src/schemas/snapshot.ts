import { z } from 'zod'
import { fromBase64 } from './base64.ts'
import { type CollectionName, collections } from './collections.ts'
import { CLOCK_RANGE, clockInstant, isClockTime } from './control/clock.ts'
import { fault } from './control/fault.ts'
import { findIssues, type Issue, writePath } from './issues.ts'
import { migrateSnapshot, SNAPSHOT_VERSION } from './snapshot-migrations.ts'

type StoredRecord = Readonly<Record<string, unknown>>

/** Image bytes in base64, by their SHA-256. */
const image = z.base64()
const blobs = z.record(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'), image)

/**
 * A running clock by its distance from real time, one that stands still by where it stands: so that a world at rest is
 * the same bytes whenever it is asked.
 */
const clock = z.union(
  [z.strictObject({ offsetMs: z.int() }), z.strictObject({ frozenAt: clockInstant })],
  'must be {offsetMs} or {frozenAt}',
)

/** A world as it is kept in a file: everything but its journal and its live streams. */
export const snapshot = z.object({
  schemaVersion: z.literal(SNAPSHOT_VERSION),
  seed: z.string().max(200).optional(),
  clock,
  faults: z.array(fault).max(1000),
  records: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).meta({ description: 'By collection' }),
  blobs,
})
export type Snapshot = Readonly<z.infer<typeof snapshot>>

/** Without what there may be many of, which is checked one by one. */
const outline = snapshot.extend({
  records: z.record(z.string(), z.array(z.unknown())),
  blobs: z.record(blobs.keyType, z.string()),
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
  if ('reason' in migrated)
    return { issues: [{ code: 'InvalidValue', rule: migrated.reason, target: 'schemaVersion' }] }
  const whole = outline.safeParse(migrated.value)
  if (!whole.success) {
    return {
      issues: findIssues(outline, migrated.value).map((issue) => ({ ...issue, target: writePath('', issue.path) })),
    }
  }
  const issues: SnapshotIssue[] = []
  const records: Record<string, StoredRecord[]> = {}
  for (const [name, given] of Object.entries(whole.data.records)) {
    if (Object.hasOwn(collections, name))
      records[name] = await readRecords(name as CollectionName, given, issues, reading)
    else issues.push({ code: 'InvalidValue', rule: 'is no collection', target: `records.${name}` })
  }
  const read = { ...whole.data, records }
  if ('offsetMs' in read.clock && !isClockTime(reading.realNow + read.clock.offsetMs)) {
    issues.push({
      code: 'InvalidValue',
      rule: `puts the clock where none goes: it ${CLOCK_RANGE}`,
      target: 'clock.offsetMs',
    })
  }
  issues.push(...(await findWrongImages(read, reading)))
  return issues.length > 0 ? { issues } : { snapshot: read }
}

export function recordsOf({ records }: Snapshot, name: CollectionName): readonly StoredRecord[] {
  return records[name] ?? []
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
      if (taken[i]!.has(values))
        issues.push({ code: 'InvalidValue', rule: 'is given twice', target: `${target}.${fields.join(',')}` })
      taken[i]!.add(values)
    })
    read.push(record)
  }
  return read
}

/** Bytes under another's digest would be handed out as that image. */
async function findWrongImages(given: Snapshot, { sha256, giveWay }: Reading): Promise<SnapshotIssue[]> {
  const wrong: string[] = []
  const unreadable: string[] = []
  for (const [name, text] of Object.entries(given.blobs)) {
    await giveWay()
    if (!image.safeParse(text).success) unreadable.push(name)
    else if (sha256(fromBase64(text)) !== name) wrong.push(name)
  }
  const missing = new Set(recordsOf(given, 'symptomImages').map((image) => String(image['sha256'])))
  for (const name of Object.keys(given.blobs)) missing.delete(name)
  return [
    ...unreadable.map((name) => toImageIssue(name, 'must be base64')),
    ...wrong.map((name) => toImageIssue(name, 'holds bytes of another digest')),
    ...[...missing].map((name) => toImageIssue(name, 'is required: a record of symptomImages names it')),
  ]
}

const toImageIssue = (name: string, rule: string): SnapshotIssue => ({
  code: 'InvalidValue',
  rule,
  target: `blobs.${name}`,
})
