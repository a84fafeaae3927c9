import { expect, test } from 'vitest'
import { requestMatch } from '../../../src/contract/records/control/request-match.ts'
import { fitsContent } from '../../../src/server/chaos/request-match.ts'

const LENGTH = 100
const fits = (given: unknown, wanted: unknown) => fitsContent({ body: { list: wanted } }, { body: { list: given } })

test.each([
  ['numbers', (i: number) => i, (i: number) => String(i)],
  ['objects', (i: number) => ({ a: i, b: 'x' }), (i: number) => ({ a: String(i) })],
  ['nested objects', (i: number) => ({ a: { b: [i, { c: null }] } }), (i: number) => ({ a: { b: [i] } })],
])('long lists of %s match by the same rules as short ones', (_, giveOne, wantOne) => {
  const given = Array.from({ length: LENGTH }, (_each, i) => giveOne(i))
  const wanted = Array.from({ length: LENGTH }, (_each, i) => wantOne(LENGTH - 1 - i))
  expect(fits(given, wanted)).toBe(true)
  expect(fits(given, [...wanted, wantOne(LENGTH)])).toBe(false)
  expect(fits(given, [...wanted, wanted[0]])).toBe(true)
  expect(fits(given.slice(1), wanted)).toBe(false)
})

test('a fault match can contain lists with at most 100 entries in total', () => {
  const isValid = (count: number) =>
    requestMatch.safeParse({ body: { a: { list: Array(count - 1).fill(1) }, b: [1] } }).success
  expect([isValid(100), isValid(101)]).toEqual([true, false])
})
