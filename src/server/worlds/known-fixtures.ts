import { nodeDigests } from '../adapters/node/digests.ts'
import { digestOf } from '../adapters/engine.ts'
import type { Stored } from '../adapters/record.ts'
import type { KnownFixtures, Records } from '../ports/worlds.ts'
import { yielding } from '../ports/yielding.ts'
import { collections } from '#contract/records/collections.ts'
import type { Fixtures, FixturesAt } from '../seed/fixtures.ts'
import { datesOf } from '../seed/relative-dates.ts'
import { readByKey } from './world-copy.ts'

/** Dates of so many records tell a world's start: they agree except for changed ones. */
const ASKED = 20
/** Only instants tell the start exactly; days and local times do not. */
const INSTANT = /^[+-]P\S+$/

/** Gives nothing for somebody's own fixtures. */
export function openKnownFixtures(fixtures: Fixtures, recordsAt: FixturesAt): KnownFixtures | undefined {
  const { name: title } = fixtures
  if (title === undefined) return undefined
  let digest: Promise<string> | undefined
  return {
    name: title,
    sha256: () => (digest ??= digestAll(fixtures)),
    read: (name, start) => readByKey(name, recordsAt(start).get(name)),
    findStart: async (records) => mostFrequent(await findStarts(fixtures, records)),
  }
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

async function findStarts({ names, read }: Fixtures, kept: Records): Promise<number[]> {
  const starts: number[] = []
  for (const name of names) {
    const { records, isDated } = read(name)
    if (!isDated) continue
    const { key } = collections[name]
    const asked = records.slice(0, ASKED)
    const keys = new Set(asked.map((record) => record[key]))
    const found = new Map<unknown, Stored>()
    for await (const record of yielding(kept[name] ?? [])) {
      if (keys.has(record[key])) found.set(record[key], record)
    }
    for (const record of asked) starts.push(...startsOfRecord(record, found.get(record[key]) ?? {}))
  }
  return starts
}

function* startsOfRecord(fixture: Stored, record: Stored): Generator<number> {
  for (const [field, value] of Object.entries(fixture)) {
    if (typeof value !== 'string' || !INSTANT.test(value)) continue
    const start = Date.parse(String(record[field])) - Date.parse(String(datesOf(value)?.(0)))
    if (!Number.isNaN(start)) yield start
  }
}

function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
