import { type CollectionName, collections } from '#contract/records/collections.ts'
import { type Fixture, type FixtureList, openFixtures } from './fixtures.ts'
import { datesOf } from './relative-dates.ts'

/** Opens the fixtures that were stored with earlier worlds. The folder itself may contain other fixtures now. */
export function openStoredFixtures(
  lists: ReadonlyMap<CollectionName, readonly Fixture[]>,
  dated: ReadonlySet<CollectionName>,
) {
  const kept = new Map<CollectionName, FixtureList>()
  for (const [name, records] of lists) kept.set(name, { records, isDated: dated.has(name), dates: [] })
  const recordsAt = openFixtures({ names: [...kept.keys()], read: (name) => kept.get(name)! })
  const keys = new Map<CollectionName, ReadonlySet<unknown>>()

  /** A key may contain a date relative to the start of the world. */
  function keysAt(at: number, name: CollectionName): ReadonlySet<unknown> {
    const known = keys.get(name)
    if (known) return known
    const written = (kept.get(name)?.records ?? []).map((record) => record[collections[name].key])
    const resolved = written.map((key) => datesOf(key)?.(at) ?? key)
    const found = new Set(resolved)
    if (resolved.every((key, i) => key === written[i])) keys.set(name, found)
    return found
  }

  return {
    recordsAt,
    hasAt: (at: number, name: CollectionName, key: string) => keysAt(at, name).has(key),
  }
}
