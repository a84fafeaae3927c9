import { expect, test } from 'vitest'
import { readByKey } from '../../../src/server/worlds/known-fixtures.ts'

const COUNT = 60_000

test('a large world is read in key order without blocking the event loop', async () => {
  let looks = 0
  let most = 0
  const records = Array.from({ length: COUNT }, (_, i) => ({
    get srid() {
      looks++
      return String((i * 7919) % COUNT).padStart(10, '0')
    },
  }))
  let [isDone, before] = [false, 0]
  const turn = () => {
    most = Math.max(most, looks - before)
    before = looks
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const read = await readByKey('tickets', records)
  isDone = true
  most = Math.max(most, looks - before)
  const total = looks
  expect(read.map(({ srid }) => Number(srid))).toEqual(Array.from({ length: COUNT }, (_, i) => i))
  expect(most).toBeLessThan(total / 2)
})
