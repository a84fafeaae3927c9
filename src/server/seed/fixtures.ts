import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type * as z from 'zod'
import { type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'
import { describeFailure } from '#contract/failures.ts'
import { UnusableState } from '../ports/failures.ts'
import { once } from '../ports/yielding.ts'
import { explain, writePath } from '#contract/records/issues.ts'
import { datesOf } from './relative-dates.ts'

export type Fixture = Readonly<Record<string, unknown>>

/** Records that may contain dates relative to the start of a world. These dates are not resolved yet. */
export interface FixtureList {
  records: readonly Fixture[]
  /** Whether the records contain a date relative to the start of a world. If not, worlds share the records. */
  isDated: boolean
  /** Contains a function for each record, which resolves the dates of the record. Created on first use. */
  dates: ReturnType<typeof datesOf>[]
}

export interface Fixtures {
  /** Name of built-in fixtures. Absent for custom fixtures. */
  name?: string
  names: readonly CollectionName[]
  /** Returns an empty list for a collection that is not in `names`. */
  read: (name: CollectionName) => FixtureList
  /** Image bytes by digest. The records contain the digests. */
  readImages?: () => ReadonlyMap<string, Uint8Array>
  /** Generates additional records, which are too many for a list. `now` is the start of the world. */
  further?: (name: CollectionName, now: number) => Iterable<Fixture>
}

/** Reads the files `{collection}.json`, whose names are in kebab case. Each file is read on first use. */
export async function readFixtures(folder: string): Promise<Fixtures> {
  const files = await listFiles(folder)
  const names = collectionNames.filter((name) => files.includes(toFileName(name)))
  const lists = new Map<CollectionName, FixtureList>()
  const read = (name: CollectionName) => {
    const list = lists.get(name) ?? readList(names.includes(name) ? join(folder, toFileName(name)) : undefined)
    lists.set(name, list)
    return list
  }
  let images: ReadonlyMap<string, Uint8Array> | undefined
  const readImages = () => (images ??= new Map(read('symptomImages').records.map((image) => readImage(folder, image))))
  return { name: 'default', names, read, readImages }
}

function readImage(folder: string, { imageId, fileName, sha256 }: Fixture): [digest: string, bytes: Uint8Array] {
  const file = `${String(imageId)}${extname(String(fileName))}`
  return [String(sha256), readFileSync(join(folder, 'symptom-images', file))]
}

function readList(file: string | undefined): FixtureList {
  const text = file === undefined ? '[]' : readFileSync(file, 'utf8')
  return toFixtureList(JSON.parse(text) as Fixture[], text)
}

export function toFixtureList(records: readonly Fixture[], text = JSON.stringify(records)): FixtureList {
  return { records, isDated: /"(date )?[+-]P\d*/.test(text), dates: [] }
}

export async function listFiles(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: Error) => {
    throw new UnusableState(`cannot read fixtures ${folder}: ${describeFailure(error)}`)
  })
}

/** `now` is in milliseconds since the epoch. Records are validated one at a time, when they are read. */
export function* resolveFixtures(fixtures: Fixtures, name: CollectionName, now: number): Generator<Fixture> {
  for (const i of fixtures.read(name).records.keys()) yield resolveFixture(fixtures, name, i, now)
}

export function resolveFixture({ read }: Fixtures, name: CollectionName, i: number, now: number): Fixture {
  const { schema, key } = collections[name]
  const { records, dates } = read(name)
  const record = records[i]!
  if (!(i in dates)) dates[i] = datesOf(record)
  const result = explain(schema, dates[i]?.(now) ?? record)
  if (result.success) return result.data as Fixture
  throw new UnusableState(`${toFileName(name)}, record ${String(record[key])}: ${describe(result.error)}`)
}

/** Returns the records of a world that starts at the timestamp `at`, in milliseconds since the epoch. */
export type FixturesAt = (at: number) => ReadonlyMap<CollectionName, () => Iterable<Fixture>>

/** All worlds share records that have no relative dates. Successive worlds with the same start share all records. */
export function openFixtures(fixtures: Fixtures): FixturesAt {
  const undated = new Map(fixtures.names.map((name) => [name, once(() => resolveFixtures(fixtures, name, 0))]))
  let latest: { at: number; records: ReturnType<FixturesAt> } | undefined
  return (at) => {
    if (latest?.at === at) return latest.records
    const sources = Array.from(undated, ([name, shared]) => {
      const list = () => listAll(fixtures, name, at)
      // `further` may generate too many records to cache.
      const dated = fixtures.further ? list : once(list)
      return [name, () => (fixtures.read(name).isDated ? dated() : shared())] as const
    })
    latest = { at, records: new Map(sources) }
    return latest.records
  }
}

function* listAll(fixtures: Fixtures, name: CollectionName, at: number): Generator<Fixture> {
  yield* resolveFixtures(fixtures, name, at)
  if (fixtures.further) yield* fixtures.further(name, at)
}

export function toFileName(name: CollectionName): string {
  return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`
}

function describe(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${writePath('', path) || 'it'} ${message}`).join('; ')
}
