import { z } from 'zod'
import { fromBase64 } from './base64.ts'
import { type CollectionName, collections } from './collections.ts'
import { CLOCK_RANGE, isClockTime } from './control/clock.ts'
import { findIssues, findUnknownFields, type Issue, writePath } from './issues.ts'
import { sayNearest } from './nearest.ts'
import { BOUNDS, exceeds, MOST_CHARACTERS, MOST_VALUES } from './plain-values.ts'
import { MAX_FAULTS, recordsOf, type Snapshot, snapshot, type StoredRecord } from './snapshot.ts'
import { migrateSnapshot } from './snapshot-migrations.ts'

/** A large part is checked entry by entry, so that it holds up nobody. */
const isMany = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const many = z.custom<Readonly<Record<string, unknown>>>(
  (value) => isMany(value) && !(value instanceof Map),
  'must be an object, of no more names than there are collections',
)
/** The names of a huge object would be listed at once, so a map is taken too. */
const manyOrMap = z.custom<Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>>(
  isMany,
  'must be an object',
)
const isAbsent = (value: unknown) => value === null || value === ''
const outline = snapshot.extend({
  seed: z.preprocess((value) => (isAbsent(value) ? undefined : value), snapshot.shape.seed),
  faults: z.custom<readonly unknown[]>(
    (value) => Array.isArray(value) && value.length <= MAX_FAULTS,
    `must be an array of at most ${MAX_FAULTS} entries`,
  ),
  records: many,
  blobs: manyOrMap,
})

interface Reading {
  sha256(bytes: Uint8Array): string
  /** Milliseconds since the epoch: a running clock must stay in its range. */
  realNow: number
  /** Lets others have their turn after long work. */
  giveWay(): Promise<void> | undefined
  /** Fixtures hold some images, whose bytes a snapshot may leave out. */
  isOfFixtures?: ((digest: string) => boolean) | undefined
  /** A field that a record of this version does not have is refused; otherwise, and of an older version, it is left out. */
  knownOnly?: boolean
}

export interface SnapshotIssue extends Pick<Issue, 'code' | 'rule'> {
  target: string
}

/** An older snapshot is migrated and every record checked; otherwise everything that is wrong is told. */
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
  // A migration gives another value, whose records may have lost fields since.
  const knownOnly = reading.knownOnly === true && migrated.value === given
  const issues: SnapshotIssue[] = []
  const records: Record<string, StoredRecord[]> = {}
  for (const name in whole.data.records) {
    if (issues.length >= MOST_ISSUES) break
    const given = whole.data.records[name]
    if (!Object.hasOwn(collections, name)) issues.push(wrongAt(`records.${name}`, sayNoCollection(name)))
    else if (!Array.isArray(given)) issues.push(wrongAt(`records.${name}`, 'must be an array'))
    else records[name] = await readRecords(name as CollectionName, given, issues, { ...reading, knownOnly })
  }
  const faults: Snapshot['faults'] = []
  for (const [position, given] of whole.data.faults.entries()) {
    await reading.giveWay()
    const read = readEntry(snapshot.shape.faults.element, given, `faults[${position}]`, issues)
    if (read) faults.push(read)
  }
  const { blobs } = whole.data
  const images = blobs instanceof Map ? blobs : new Map(Object.entries(blobs))
  const read: Snapshot = { ...whole.data, faults, records, blobs: images as Snapshot['blobs'] }
  if ('offsetMs' in read.clock && !isClockTime(reading.realNow + read.clock.offsetMs)) {
    issues.push(wrongAt('clock.offsetMs', `puts the clock where none goes: it ${CLOCK_RANGE}`))
  }
  issues.push(...(await findWrongImages(read, reading)))
  return issues.length > 0 ? { issues } : { snapshot: read }
}

const sayNoCollection = (name: string) => `is no collection${sayNearest(name, Object.keys(collections))}`

/** More findings help nobody, and a file of another kind would have one a record. */
const MOST_ISSUES = 100
/** Near names are looked for in one turn. */
const MOST_UNKNOWN = 20

async function readRecords(
  name: CollectionName,
  given: readonly unknown[],
  issues: SnapshotIssue[],
  { giveWay, knownOnly }: Reading,
): Promise<StoredRecord[]> {
  const { schema, key, indexes } = collections[name]
  const unique = [[key], ...indexes.filter((index) => 'unique' in index).map(({ on }) => on as readonly string[])]
  const taken = unique.map(() => new Set<string>())
  const read: StoredRecord[] = []
  for (const [position, value] of given.entries()) {
    if (issues.length >= MOST_ISSUES) break
    await giveWay()
    const target = `records.${name}[${position}]`
    const record = readEntry(schema as z.ZodType<StoredRecord>, value, target, issues)
    if (!record) continue
    if (knownOnly) {
      const unknown = findUnknownFields(schema, value, MOST_UNKNOWN)
      issues.push(...unknown.map(({ path, rule }) => wrongAt(path ? `${target}.${path}` : target, rule)))
    }
    unique.forEach((fields, i) => {
      const values = fields.map((field) => String(record[field])).join('\u0000')
      if (taken[i]!.has(values)) issues.push(wrongAt(`${target}.${fields.join(',')}`, 'is given twice'))
      taken[i]!.add(values)
    })
    read.push(record)
  }
  return read
}

function readEntry<T>(schema: z.ZodType<T>, value: unknown, target: string, issues: SnapshotIssue[]): T | undefined {
  if (exceeds(value, BOUNDS)) {
    const rule = `must hold at most ${MOST_VALUES} values and ${MOST_CHARACTERS} characters`
    issues.push({ code: 'TooLong', rule, target })
    return undefined
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  issues.push(...findIssues(schema, value).map((issue) => ({ ...issue, target: writePath(target, issue.path) })))
  return undefined
}

/** Bytes under a wrong digest would be handed out as another image. */
async function findWrongImages(given: Snapshot, { sha256, giveWay, isOfFixtures }: Reading): Promise<SnapshotIssue[]> {
  const issues: SnapshotIssue[] = []
  const missing = new Set(recordsOf(given, 'symptomImages').map((image) => String(image['sha256'])))
  const { keyType, valueType } = snapshot.shape.blobs
  for (const [name, text] of given.blobs) {
    if (issues.length >= MOST_ISSUES) break
    await giveWay()
    missing.delete(name)
    const key = keyType.safeParse(name)
    if (!key.success) issues.push(wrongAt(`blobs.${name.slice(0, 100)}`, key.error.issues[0]!.message))
    if (!key.success) continue
    const isBase64 = valueType.safeParse(text).success
    // Each step takes milliseconds for a large image.
    await giveWay()
    const bytes = isBase64 ? fromBase64(text) : undefined
    await giveWay()
    if (!bytes) issues.push(wrongAt(`blobs.${name}`, 'must be base64'))
    else if (sha256(bytes) !== name) issues.push(wrongAt(`blobs.${name}`, 'holds bytes of another digest'))
  }
  for (const name of missing) {
    if (isOfFixtures?.(name)) continue
    issues.push(wrongAt(`blobs.${name}`, 'is required: a record of symptomImages names it'))
  }
  return issues
}

const wrongAt = (target: string, rule: string): SnapshotIssue => ({ code: 'InvalidValue', rule, target })
