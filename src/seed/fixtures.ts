import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { type CollectionName, collectionNames, collections } from '../schemas/collections.ts'
import { explain, writePath } from '../schemas/issues.ts'
import { datesOf } from './relative-dates.ts'

export type Fixture = Readonly<Record<string, unknown>>

/** Fixtures as read: checked, and with dates that depend on the world's start still to be resolved. */
export interface Fixtures {
  records: ReadonlyMap<CollectionName, readonly Fixture[]>
  /** Collections with dates relative to a world's start; all worlds share the records of the others. */
  dated: ReadonlySet<CollectionName>
  /** How the dates of each record are resolved: found when a world first asks, for all. */
  dates: Map<CollectionName, ReturnType<typeof datesOf>[]>
}

/** Fixtures that cannot be used; one line a finding, with its file, record and field. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError'
}

/** Reads every `{collection}.json` of the built-in ones, named in kebab case. */
export async function readFixtures(folder: string): Promise<Fixtures> {
  const files = await listFiles(folder)
  const records = new Map<CollectionName, readonly Fixture[]>()
  const dated = new Set<CollectionName>()
  await Promise.all(
    collectionNames
      .filter((name) => files.includes(toFileName(name)))
      .map(async (name) => {
        const text = await readFile(join(folder, toFileName(name)), 'utf8')
        if (hasRelativeDate(text)) dated.add(name)
        records.set(name, JSON.parse(text))
      }),
  )
  return { records, dated, dates: new Map() }
}

export async function listFiles(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: Error) => {
    throw new FixtureError(`the fixtures cannot be read: ${error.message}`)
  })
}

/** Whether anything in a file may depend on a world's start. */
export function hasRelativeDate(text: string): boolean {
  return /"(date )?[+-]P\d*/.test(text)
}

/**
 * The records of a collection for a world that starts at `now` (milliseconds since the epoch), each checked by its
 * schema as it is taken.
 */
export function* resolveFixtures({ records, dates }: Fixtures, name: CollectionName, now: number): Generator<Fixture> {
  const { schema, key } = collections[name]
  const fixtures = records.get(name) ?? []
  const resolvers = dates.get(name) ?? []
  dates.set(name, resolvers)
  for (const [i, record] of fixtures.entries()) {
    if (!(i in resolvers)) resolvers[i] = datesOf(record)
    const result = explain(schema, resolvers[i]?.(now) ?? record)
    if (result.success) yield result.data as Fixture
    else throw new FixtureError(`${toFileName(name)}, record ${String(record[key])}: ${describe(result.error)}`)
  }
}

export function toFileName(name: CollectionName): string {
  return `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`
}

function describe(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${writePath('', path) || 'it'} ${message}`).join('; ')
}
