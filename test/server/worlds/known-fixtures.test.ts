import { expect, test } from 'vitest'
import { openFixtures } from '../../../src/server/seed/fixtures.ts'
import { openKnownFixtures } from '../../../src/server/worlds/known-fixtures.ts'
import { fixtures } from '../../fixtures/open-fixtures.ts'

test("a world's start time is found even if records were added to its fixtures", async () => {
  const known = openKnownFixtures(fixtures, openFixtures(fixtures))!
  const start = Date.parse('2026-02-03T04:05:06.000Z')
  const tickets = await known.read('tickets', start)
  const others = Array.from({ length: 500 }, (_, i) => ({ srid: `other-${i}` }))
  expect(await known.findStart({ tickets: [...tickets, ...others] })).toBe(start)
})
