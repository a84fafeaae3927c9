import { join } from 'node:path'
import type * as z from 'zod'
import type { Digests } from '../ports/chance.ts'
import { UnusableState } from '../ports/failures.ts'
import type { ZipCodes } from '../ports/zip-codes.ts'
import { type Collection, type CollectionName, collectionNames, collections } from '#contract/records/collections.ts'
import { describeFailure } from '#contract/failures.ts'
import { findIssues, findUnknownFields, writePath } from '#contract/records/issues.ts'
import { didYouMean, suggestNearest } from '#contract/records/nearest.ts'
import { completeFixture } from './completion.ts'
import { type Fixture, type Fixtures, listFiles, toFileName, toFixtureList } from './fixtures.ts'
import { readInputText } from './input-file.ts'
import { enlargeFixtures } from './large-fixtures.ts'
import { findDangling } from './references.ts'
import { datesOf } from './relative-dates.ts'

export interface OwnFixturesContext {
  /** Used for collections that have no file in the folder. */
  builtIn: Fixtures
  zipCodes: ZipCodes
  digests: Pick<Digests, 'sha256'>
  /** Dates are validated for a world that starts at this time (milliseconds since the epoch). */
  now: number
  seed?: string | undefined
}

const MOST_FINDINGS = 100

type Records = Map<CollectionName, readonly Fixture[]>

/** A `name` with a slash is a folder. A seed determines the people in `large`. */
export async function openNamedFixtures(name: string, context: OwnFixturesContext): Promise<Fixtures> {
  if (name === 'default') return context.builtIn
  if (name === 'large' && context.seed !== undefined) {
    return openNamedFixtures(`large-${context.digests.sha256(context.seed).slice(0, 12)}`, context)
  }
  if (/^large(-[0-9a-f]{12})?$/.test(name)) return enlargeFixtures(context.builtIn, name, context.digests.sha256)
  if (/[\\/]/.test(name)) return readOwnFixtures(name, context)
  const nearest = didYouMean(name, ['default', 'large'])
  throw new UnusableState(`FIXTURES=${name}: must be default, large or a directory such as ./${name}${nearest}`)
}

/** Each file replaces one collection. Built-in records that refer to missing records are dropped. */
export async function readOwnFixtures(folder: string, context: OwnFixturesContext): Promise<Fixtures> {
  const { own, findings } = await readFolder(folder)
  const ours = context.builtIn.names.map((name) => [name, context.builtIn.read(name).records] as const)
  const records: Records = new Map([...ours, ...own])
  for (const [name, list] of own) {
    const complete = list.map((record) => completeFixture(name, record, { ...context, records }))
    records.set(name, complete)
  }
  dropDangling(records, own)
  const keysOf = createKeys(records)
  for (const name of own.keys()) findings.push(...findInCollection(name, records.get(name)!, keysOf, context.now))
  if (findings.length > 0) throw new UnusableState(summarize(findings))
  const { readImages } = context.builtIn
  const lists = new Map([...records].map(([name, list]) => [name, toFixtureList(list)]))
  return {
    names: [...lists.keys()],
    read: (name) => lists.get(name) ?? toFixtureList([]),
    ...(readImages && { readImages }),
  }
}

async function readFolder(folder: string): Promise<{ own: Records; findings: string[] }> {
  const own: Records = new Map()
  const findings: string[] = []
  const known = collectionNames.map(toFileName)
  for (const file of (await listFiles(folder)).filter((each) => each.endsWith('.json')).sort()) {
    const name = collectionNames[known.indexOf(file)]
    const read = name ? await readList(join(folder, file)) : `does not match a collection${suggestNearest(file, known)}`
    if (typeof read === 'string') findings.push(`${file} ${read}`)
    else own.set(name!, read)
  }
  return { own, findings }
}

async function readList(path: string): Promise<readonly Fixture[] | string> {
  let list: unknown
  try {
    list = JSON.parse(await readInputText(path))
  } catch (error) {
    return `cannot be read: ${describeFailure(error)}`
  }
  const isList = Array.isArray(list) && list.every((each) => typeof each === 'object' && each && !Array.isArray(each))
  return isList ? (list as Fixture[]) : 'must contain a list of records'
}

/** Also drops records that refer to dropped ones, and so on. */
function dropDangling(records: Records, own: Records): void {
  for (let before = -1, after = 0; before !== after; ) {
    before = after
    const keysOf = createKeys(records)
    for (const [name, list] of records) {
      if (own.has(name)) continue
      const kept = list.filter((record) => findDangling(name, record, keysOf).length === 0)
      after += list.length - kept.length
      if (kept.length < list.length) records.set(name, kept)
    }
  }
}

function createKeys(records: Records): (name: CollectionName) => ReadonlySet<unknown> {
  const sets = new Map<CollectionName, ReadonlySet<unknown>>()
  return (name) => {
    const keys = sets.get(name) ?? new Set(records.get(name)?.map((record) => record[collections[name].key]))
    sets.set(name, keys)
    return keys
  }
}

function summarize(findings: readonly string[]): string {
  const left = findings.length - MOST_FINDINGS
  return [...findings.slice(0, MOST_FINDINGS), ...(left > 0 ? [`and ${left} more`] : [])].join('\n')
}

function findInCollection(
  name: CollectionName,
  list: readonly Fixture[],
  keysOf: (name: CollectionName) => ReadonlySet<unknown>,
  now: number,
): string[] {
  const { schema, key, indexes }: Collection = collections[name]
  const unique = [key, ...indexes.flatMap((index) => (index.unique ? index.on : []))]
  const namesIn = (targets: readonly CollectionName[]) => targets.flatMap((each) => [...keysOf(each)].map(String))
  const met = new Map<string, number>()
  return list.flatMap((record, i) => {
    const number = i + 1
    const found = [
      ...findInRecord(schema, record, now),
      ...findDangling(name, record, keysOf).map(
        ({ field, key: named, targets }) =>
          `${field} ${named} does not exist in ${targets.map(toFileName).join(' or ')}` +
          suggestNearest(named, namesIn(targets)),
      ),
      ...unique.flatMap((field) => {
        const earlier = met.get(`${field} ${String(record[field])}`)
        if (record[field] === undefined) return []
        met.set(`${field} ${String(record[field])}`, number)
        return earlier === undefined ? [] : [`${field} is the same as in record ${earlier}`]
      }),
    ]
    const id = record[key] === undefined ? '' : ` (${String(record[key])})`
    return found.map((finding) => `${toFileName(name)}, record ${number}${id}: ${finding}`)
  })
}

function findInRecord(schema: z.ZodType, record: Fixture, now: number): string[] {
  const unknown = findUnknownFields(schema, record, Infinity).map(({ path, rule }) => `${path && `${path} `}${rule}`)
  try {
    const resolved = datesOf(record)?.(now) ?? record
    const issues = findIssues(schema, resolved)
    return [...unknown, ...issues.map(({ path, rule }) => `${writePath('', path)} ${describeRelative(rule)}`)]
  } catch (error) {
    return [...unknown, (error as Error).message]
  }
}

function describeRelative(rule: string): string {
  if (rule.startsWith('must be a timestamp')) return `${rule}, or -P40D from the world's start`
  return rule.startsWith('must be a date') ? `${rule}, or date -P40D from the world's start` : rule
}
