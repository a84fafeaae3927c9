import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { type CollectionName, collectionNames, collections } from '../schemas/collections.ts'
import { datesOf } from './relative-dates.ts'

type Fixture = Readonly<Record<string, unknown>>

/** Fixtures as read: checked, and with dates that depend on the world's start still to be resolved. */
export interface Fixtures {
  records: ReadonlyMap<CollectionName, readonly Fixture[]>
  /** Collections with dates relative to a world's start; all worlds share the records of the others. */
  dated: ReadonlySet<CollectionName>
}

/** A fixture that cannot be used; says the file, the record and the reason. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError'
}

/** Reads every `fixtures/{collection}.json`, named in kebab case, and checks each record against its schema. */
export async function readFixtures(folder: string): Promise<Fixtures> {
  const files = await readdir(folder).catch((error: Error) => {
    throw new FixtureError(`the fixtures cannot be read: ${error.message}`)
  })
  const records = new Map<CollectionName, readonly Fixture[]>()
  const dated = new Set<CollectionName>()
  await Promise.all(
    files
      .filter((file) => file.endsWith('.json'))
      .map(async (file) => {
        const name = collectionOf(file)
        const text = await readFile(join(folder, file), 'utf8')
        if (/"(date )?[+-]P\d*/.test(text)) dated.add(name)
        records.set(name, parseFixtures(file, text))
      }),
  )
  return { records, dated }
}

/** How the dates of each record of a list are resolved: found once for all worlds. */
const dates = new WeakMap<readonly Fixture[], readonly ReturnType<typeof datesOf>[]>()

/**
 * The records of a collection for a world that starts at `now` (milliseconds since the epoch), checked by its schema.
 */
export function resolveFixtures({ records }: Fixtures, name: CollectionName, now: number): Fixture[] {
  const { schema, key } = collections[name]
  const fixtures = records.get(name) ?? []
  const resolvers = dates.get(fixtures) ?? fixtures.map(datesOf)
  dates.set(fixtures, resolvers)
  return fixtures.map((record, i) => {
    const resolve = resolvers[i]
    const result = schema.safeParse(resolve ? resolve(now) : record)
    if (result.success) return result.data as Fixture
    throw new FixtureError(`${toFileName(name)}, record ${String(record[key])}: ${describe(result.error)}`)
  })
}

/** Throws a FixtureError when a record of any collection cannot be used in a world that starts at `now`. */
export function checkFixtures(fixtures: Fixtures, now: number): void {
  for (const name of fixtures.records.keys()) resolveFixtures(fixtures, name, now)
}

export function toFileName(name: CollectionName): string {
  return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`
}

function collectionOf(file: string): CollectionName {
  const name = collectionNames.find((each) => toFileName(each) === file)
  if (!name) throw new FixtureError(`${file}: no collection has this name`)
  return name
}

function parseFixtures(file: string, text: string): readonly Fixture[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new FixtureError(`${file}: ${(error as Error).message}`)
  }
  if (!Array.isArray(value)) throw new FixtureError(`${file}: must hold a list of records`)
  return value as Fixture[]
}

function describe(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`).join('; ')
}
