import { expect, test } from 'vitest'
import { openKnownFixtures } from '../../../src/server/worlds/known-fixtures.ts'
import { fixtures } from '../../fixtures/open-fixtures.ts'

test('21 the start of a world of many records is found in turns of one record each', async () => {
  const known = openKnownFixtures(fixtures)!
  const start = Date.parse('2026-02-03T04:05:06.000Z')
  const tickets = await known.read('tickets', start)
  const asked: number[] = []
  const others = Array.from({ length: 500 }, (_, i) => ({
    get srid() {
      asked.push(turns)
      return `other-${i}`
    },
  }))
  let turns = 0
  const give = () => void turns++
  expect(await known.findStart({ tickets: [...tickets, ...others] }, { give })).toBe(start)
  expect(new Set(asked).size).toBe(500)
})
