import * as z from 'zod'
import { fromBase64 } from './base64.ts'
import { type CollectionName, collections } from './collections.ts'
import { CLOCK_RANGE, clockInstant, isClockTime } from './control/clock.ts'
import { type Fault, fault, validateDraft } from './control/fault.ts'
import { findIssues, findUnknownFields, type Issue, writePath } from './issues.ts'
import { suggestNearest } from './nearest.ts'
import { BOUNDS, exceeds, findExcess, findPoisonedKey, MOST_CHARACTERS, MOST_VALUES } from './plain-values.ts'
import {
  LARGEST_SNAPSHOT,
  LONGEST_LINE,
  MAX_FAULTS,
  type Snapshot,
  type SnapshotLine,
  type StoredRecord,
  SNAPSHOT_VERSION,
} from './snapshot.ts'

const clock = z.union(
  [z.strictObject({ offsetMs: z.int() }), z.strictObject({ frozenAt: clockInstant })],
  'must be {offsetMs} or {frozenAt}',
)

const isAbsent = (value: unknown) => value === null || value === ''

const headerLine = z.strictObject({
  schemaVersion: z.literal(SNAPSHOT_VERSION),
  seed: z.preprocess((value) => (isAbsent(value) ? undefined : value), z.string().max(200).optional()),
  clock,
})

const faultLine = z.strictObject({ fault: z.strictObject(fault.shape).check(validateDraft) })

const imageLine = z.strictObject({
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
  image: z.base64('must be base64'),
})

interface Reading {
  sha256(bytes: Uint8Array): string
  /** Milliseconds since the epoch, needed to validate the time of a running clock. */
  realNow: number
  /** Returns whether an image is part of the fixtures. Snapshots may omit the bytes of such images. */
  isOfFixtures?: ((digest: string) => boolean) | undefined
  /** Whether unknown fields are rejected. By default they are removed. */
  knownOnly?: boolean
}

interface SnapshotIssue extends Pick<Issue, 'rule'> {
  code: Issue['code'] | 'Malformed'
  target: string
}

export interface ReadSnapshot {
  snapshot: Snapshot
  /** Describes the line of each fault and setting. Later errors about unknown operations contain this text. */
  targets: ReadonlyMap<object, string>
}

/** Returns the snapshot, or up to 100 issues from all lines. */
export async function readSnapshot(
  lines: Iterable<SnapshotLine> | AsyncIterable<SnapshotLine>,
  reading: Reading,
): Promise<ReadSnapshot | { issues: SnapshotIssue[] }> {
  const read = new LineReader(reading)
  for await (const line of lines) {
    read.take(line)
    if (read.isOver) break
  }
  return read.end()
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d]

export function* parseSnapshot(bytes: Uint8Array): Generator<SnapshotLine> {
  if (bytes.length > LARGEST_SNAPSHOT) {
    yield { at: 'the snapshot', wrong: `has more than ${LARGEST_SNAPSHOT} bytes` }
    return
  }
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const found = bytes.indexOf(LINE_FEED, start)
    const end = found < 0 ? bytes.length : found
    const line = bytes.subarray(start, end)
    const isBlank = line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN)
    if (!isBlank) yield { at: `line ${number}`, ...parseLine(line) }
    start = end + 1
  }
}

function parseLine(line: Uint8Array): Pick<SnapshotLine, 'value' | 'wrong'> {
  if (line.length > LONGEST_LINE) return { wrong: `has more than ${LONGEST_LINE} bytes` }
  const excess = findExcess(line, MOST_VALUES)
  if (excess) return { wrong: excess }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line)
  } catch {
    return { wrong: 'is not valid UTF-8' }
  }
  try {
    const value: unknown = JSON.parse(text)
    const key = findPoisonedKey(value, text)
    return key === undefined ? { value } : { wrong: `has a key ${key}, which is not allowed` }
  } catch {
    // The message of `JSON.parse` is not used, because it may contain a secret.
    return { wrong: 'is not valid JSON' }
  }
}

const MOST_ISSUES = 100
/** Maximum number of unknown fields that are reported, because the suggestions are computed in one event-loop tick. */
const MOST_UNKNOWN = 20

class LineReader {
  readonly #reading: Reading
  readonly #issues: SnapshotIssue[] = []
  readonly #faults: Fault[] = []
  readonly #collections = new Map<string, OpenCollection>()
  readonly #blobs = new Map<string, string>()
  readonly #targets = new Map<object, string>()
  readonly #imageNames = new Map<string, string>()
  #header: z.infer<typeof headerLine> | undefined
  #isComplete = false

  constructor(reading: Reading) {
    this.#reading = reading
  }

  get isOver(): boolean {
    return !this.#header || this.#issues.length >= MOST_ISSUES
  }

  take({ at, value, wrong }: SnapshotLine): void {
    if (wrong !== undefined) this.#refuse(at, wrong, 'Malformed')
    else if (!this.#header) this.#takeHeader(at, value)
    else if (has(value, 'collection')) this.#takeRecord(at, value)
    else if (has(value, 'fault')) this.#takeFault(at, value)
    else if (has(value, 'digest')) this.#takeImage(at, value)
    else if (has(value, 'end')) this.#isComplete = true
    else this.#refuse(at, 'must be a fault, a record with its collection, or an image with its digest')
  }

  end(): ReadSnapshot | { issues: SnapshotIssue[] } {
    const isFine = this.#issues.length === 0
    if (isFine && !this.#header) this.#refuse('line 1', 'must be the header of a snapshot')
    else if (isFine && !this.#isComplete) this.#refuse('the snapshot', 'is cut off: its last line must be {"end":true}')
    for (const [digest, target] of this.#imageNames) {
      if (this.#blobs.has(digest) || this.#reading.isOfFixtures?.(digest)) continue
      this.#refuse(target, 'names an image that the snapshot does not contain')
    }
    if (!this.#header || this.#issues.length > 0) return { issues: this.#issues.slice(0, MOST_ISSUES) }
    const records = Object.fromEntries([...this.#collections].map(([name, { records }]) => [name, records]))
    const snapshot = { ...this.#header, faults: this.#faults, records, blobs: this.#blobs }
    return { snapshot, targets: this.#targets }
  }

  #takeHeader(at: string, value: unknown): void {
    const { schemaVersion } = Object(value) as { schemaVersion?: unknown }
    if (typeof schemaVersion === 'number' && schemaVersion !== SNAPSHOT_VERSION) {
      const rule = `is ${schemaVersion}, but this server reads ${SNAPSHOT_VERSION}`
      return this.#refuse(`${at}: schemaVersion`, rule)
    }
    const header = this.#check(headerLine, value, at)
    if (header && 'offsetMs' in header.clock && !isClockTime(this.#reading.realNow + header.clock.offsetMs)) {
      return this.#refuse(`${at}: clock.offsetMs`, `is out of range for a clock: it ${CLOCK_RANGE}`)
    }
    this.#header = header
  }

  #takeFault(at: string, value: unknown): void {
    const line = this.#check(faultLine, value, at)
    if (!line) return
    const { faultId } = line.fault
    if (this.#faults.some((each) => each.faultId === faultId)) this.#refuse(`${at}: fault.faultId`, 'is listed twice')
    if (this.#faults.push(line.fault) > MAX_FAULTS) this.#refuse(at, `exceeds the limit of ${MAX_FAULTS} faults`)
    this.#targets.set(line.fault, `${at}: fault`)
  }

  #takeRecord(at: string, value: object): void {
    const { collection: name, record: given } = value as { collection: unknown; record?: unknown }
    if (typeof name !== 'string' || !Object.hasOwn(collections, name)) {
      const nearest = suggestNearest(String(name), Object.keys(collections))
      return this.#refuse(`${at}: collection`, `is not a collection: ${String(name).slice(0, 100)}${nearest}`)
    }
    const collection = this.#collections.get(name) ?? openCollection(name as CollectionName)
    this.#collections.set(name, collection)
    const record = this.#check(collection.line, value, at)?.record
    if (!record) return
    if (this.#reading.knownOnly) {
      for (const { path, rule } of findUnknownFields(collection.schema, given, MOST_UNKNOWN)) {
        this.#refuse(`${at}: ${writePath('record', path === '' ? [] : [path])}`, rule)
      }
    }
    for (const { fields, taken } of collection.unique) {
      const values = fields.map((field) => String(record[field])).join('\u0000')
      if (taken.has(values)) this.#refuse(`${at}: record.${fields.join(',')}`, 'is listed twice')
      taken.add(values)
    }
    if (name === 'settings') this.#targets.set(record, `${at}: record`)
    if (name === 'symptomImages') this.#imageNames.set(String(record['sha256']), `${at}: record.sha256`)
    collection.records.push(record)
  }

  #takeImage(at: string, value: unknown): void {
    const line = this.#check(imageLine, value, at, LONGEST_LINE)
    if (!line) return
    const isSame = this.#reading.sha256(fromBase64(line.image)) === line.digest
    if (!isSame) this.#refuse(`${at}: image`, 'has content that does not match its digest')
    this.#blobs.set(line.digest, line.image)
  }

  #check<T>(schema: z.ZodType<T>, value: unknown, at: string, characters = MOST_CHARACTERS): T | undefined {
    if (exceeds(value, { ...BOUNDS, characters })) {
      this.#refuse(at, `must have at most ${MOST_VALUES} values and ${characters} characters`, 'TooLong')
      return undefined
    }
    const result = schema.safeParse(value)
    if (result.success) return result.data
    for (const { code, path, rule } of findIssues(schema, value)) {
      this.#refuse(path.length > 0 ? `${at}: ${writePath('', path)}` : at, rule, code)
    }
    return undefined
  }

  #refuse(target: string, rule: string, code: SnapshotIssue['code'] = 'InvalidValue'): void {
    this.#issues.push({ code, rule, target })
  }
}

interface OpenCollection {
  schema: z.ZodType<StoredRecord>
  line: z.ZodType<{ collection: string; record: StoredRecord }>
  unique: readonly { fields: readonly string[]; taken: Set<string> }[]
  records: StoredRecord[]
}

function openCollection(name: CollectionName): OpenCollection {
  const { key, indexes } = collections[name]
  const schema = collections[name].schema as z.ZodType<StoredRecord>
  const keys = [[key], ...indexes.filter((index) => 'unique' in index).map(({ on }) => on as readonly string[])]
  return {
    schema,
    line: z.strictObject({ collection: z.literal(name), record: schema }),
    unique: keys.map((fields) => ({ fields, taken: new Set() })),
    records: [],
  }
}

const has = (value: unknown, name: string): value is object =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
