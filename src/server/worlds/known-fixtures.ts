import { nodeDigests } from '../adapters/node/digests.ts'
import { forEachInTurns } from '../adapters/node/for-each-in-turns.ts'
import { digestOf } from '../adapters/pattern-digest.ts'
import type { Stored } from '../adapters/record.ts'
import type { KnownFixtures, Records } from '../ports/worlds.ts'
import { collections } from '../../contract/records/collections.ts'
import { type Fixtures, openFixtures } from '../seed/fixtures.ts'
import { datesOf } from '../seed/relative-dates.ts'
import { readByKey } from './world-copy.ts'

/** Dates of so many records tell a world's start: they agree except for changed ones. */
const ASKED = 20
/** Only instants tell the start exactly; days and local times do not. */
const INSTANT = /^[+-]P\S+$/

/** Gives nothing for somebody's own fixtures. */
export function openKnownFixtures(fixtures: Fixtures): KnownFixtures | undefined {
  const { name: title } = fixtures
  if (title === undefined) return undefined
  const recordsAt = openFixtures(fixtures)
  let digest: Promise<string> | undefined
  return {
    name: title,
    sha256: () => (digest ??= digestAll(fixtures)),
    read: (name, start) => readByKey(name, recordsAt(start).get(name)),
    findStart: (records) => mostFrequent(startsOf(fixtures, records)),
  }
}

async function digestAll(fixtures: Fixtures): Promise<string> {
  let digest = await digestOf(fixtures, nodeDigests)
  if (!fixtures.further) return digest
  for (const name of fixtures.names) {
    await forEachInTurns(fixtures.further(name, 0), (record) => {
      digest = nodeDigests.sha256(digest + JSON.stringify(record))
    })
  }
  return digest
}

function* startsOf({ names, read }: Fixtures, kept: Records): Generator<number> {
  for (const name of names) {
    const { records, isDated } = read(name)
    if (!isDated) continue
    const { key } = collections[name]
    const asked = records.slice(0, ASKED)
    const keys = new Set(asked.map((record) => record[key]))
    const found = new Map(kept[name]?.filter((record) => keys.has(record[key])).map((record) => [record[key], record]))
    for (const record of asked) yield* startsOfRecord(record, found.get(record[key]) ?? {})
  }
}

function* startsOfRecord(fixture: Stored, record: Stored): Generator<number> {
  for (const [field, value] of Object.entries(fixture)) {
    if (typeof value !== 'string' || !INSTANT.test(value)) continue
    const start = Date.parse(String(record[field])) - Date.parse(String(datesOf(value)?.(0)))
    if (!Number.isNaN(start)) yield start
  }
}

function mostFrequent(values: Iterable<number>): number | undefined {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
