import { distance } from 'fastest-levenshtein'
import type { CollectionName } from '../../../../contract/records/collections.ts'
import type { WorldClient } from '../../../control-client/world-client.ts'
import type { Call } from '../../calls/call.ts'

type Row = Record<string, unknown>

/** The nearest record is looked for among the first hundred alone, so that a large world is not read whole. */
const MOST = 100

/** Gives nothing where the world has no such collection, record or filter. */
export async function listRecords(
  fork: WorldClient,
  collection: CollectionName,
  filter: Readonly<Record<string, string | number | undefined>> = {},
): Promise<Row[]> {
  const given = Object.entries(filter).filter((pair): pair is [string, string | number] => pair[1] !== undefined)
  try {
    return (await fork.records.list<Row>(collection, { limit: MOST, ...Object.fromEntries(given) })).items
  } catch {
    return []
  }
}

export async function findRecord(fork: WorldClient, collection: CollectionName, key: string): Promise<Row | undefined> {
  if (key === '' || key.length > 512) return undefined
  try {
    return await fork.records.get<Row>(collection, key)
  } catch {
    return undefined
  }
}

export function valuesOf(rows: readonly Row[], field: string): string[] {
  return [...new Set(rows.map((row) => row[field]).filter((value) => typeof value === 'string'))]
}

/** The distance counts differing letters and ignores their case; the given value itself is left out. */
export function nearestFirst(given: unknown, names: readonly string[]): string[] {
  const text = String(given ?? '').slice(0, 100)
  const others = names.filter((name) => name !== given)
  if (text === '') return others
  return others
    .map((name, index) => ({ name, index, far: distance(text.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.far - b.far || a.index - b.index)
    .map(({ name }) => name)
}

export function profileKeyOf({ headers }: Call): string | undefined {
  const { 'vendorus-profid': web, 'vendorus-guid': app, 'request-source': source } = headers
  if (source === 'splus' || source === 'voyager') return app === undefined ? undefined : `guid:${app}`
  return web === undefined ? undefined : `profile:${web}`
}

export async function findCompany(fork: WorldClient, call: Call): Promise<string | undefined> {
  const profile = await findRecord(fork, 'profiles', profileKeyOf(call) ?? '')
  return typeof profile?.companyId === 'string' ? profile.companyId : undefined
}
