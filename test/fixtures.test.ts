import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { madeFixtures, toFixtureText } from '../scripts/fixtures/all.ts'
import type { CollectionName } from '../src/schemas/collections.ts'
import { readFixtures, resolveFixtures, toFileName } from '../src/seed.ts'

const FOLDER = join(import.meta.dirname, '../fixtures')
const fixtures = await readFixtures(FOLDER)

/** A winter night, the eve of a daylight-saving change, a leap day, and a summer noon. */
const starts = ['2026-01-01T03:30:00Z', '2026-03-07T23:00:00Z', '2028-02-29T12:00:00Z', '2026-07-15T16:00:00Z']

describe('the fixtures', () => {
  test.each(Object.keys(madeFixtures) as CollectionName[])('of %s are what npm run fixtures makes', async (name) => {
    const text = await readFile(join(FOLDER, toFileName(name)), 'utf8')
    expect(text === toFixtureText(madeFixtures[name]!)).toBe(true)
  })

  test.each(starts)('parse by their schemas in a world that starts at %s', (start) => {
    for (const name of fixtures.records.keys()) {
      expect(() => resolveFixtures(fixtures, name, Date.parse(start))).not.toThrow()
    }
  })
})
