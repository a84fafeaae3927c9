import { nodeDigests } from '../adapters/node/digests.ts'
import { digestOf } from '../adapters/engine.ts'
import { SortedRecords } from '../adapters/memory/sorted-records.ts'
import { type RecordSource, recordsOf, type Stored } from '../adapters/record.ts'
import type { KnownFixtures, Records } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import { type CollectionName, collections } from '#contract/records/collections.ts'
import type { Fixtures, FixturesAt } from '../seed/fixtures.ts'
import { datesOf } from '../seed/relative-dates.ts'

/** Records per collection that are read to find the start. Most are unchanged and indicate the same start. */
const ASKED = 20
/** Matches only timestamps, because dates and local times do not reveal the exact start. */
const INSTANT = /^[+-]P\S+$/

/** Returns undefined for custom fixtures. */
export function openKnownFixtures(fixtures: Fixtures, recordsAt: FixturesAt): KnownFixtures | undefined {
  const { name: title } = fixtures
  if (title === undefined) return undefined
  let digest: Promise<string> | undefined
  return {
    name: title,
    sha256: () => (digest ??= digestAll(fixtures)),
    read: (name, start) => readByKey(name, recordsAt(start).get(name)),
    findStart: (records) => findStart(fixtures, records),
  }
}

export async function readByKey(name: CollectionName, source?: RecordSource): Promise<readonly Stored[]> {
  const { key } = collections[name]
  const found = new SortedRecords(key, key)
  for await (const record of yielding(recordsOf(source))) found.insert(record)
  return [...found.walk('asc')]
}

async function digestAll(fixtures: Fixtures): Promise<string> {
  let digest = await digestOf(fixtures, nodeDigests)
  if (!fixtures.further) return digest
  for (const name of fixtures.names) {
    for await (const record of yielding(fixtures.further(name, 0))) {
      digest = nodeDigests.sha256(digest + JSON.stringify(record))
    }
  }
  return digest
}

async function findStart({ names, read }: Fixtures, kept: Records): Promise<number | undefined> {
  const counts = new Map<number, number>()
  for (const name of names.filter((each) => read(each).isDated)) {
    const { key } = collections[name]
    const asked = new Map(
      read(name)
        .records.slice(0, ASKED)
        .map((fixture) => [fixture[key], fixture]),
    )
    for await (const record of yielding(kept[name] ?? [])) {
      for (const [field, value] of Object.entries(asked.get(record[key]) ?? {})) {
        if (typeof value !== 'string' || !INSTANT.test(value)) continue
        const start = Date.parse(String(record[field])) - Date.parse(String(datesOf(value)?.(0)))
        if (!Number.isNaN(start)) counts.set(start, (counts.get(start) ?? 0) + 1)
      }
    }
  }
  const [mostFrequent] = [...counts].sort(([, a], [, b]) => b - a)
  return mostFrequent?.[0]
}
