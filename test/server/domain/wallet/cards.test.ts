import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findRule } from '../../../../src/contract/rules.ts'
import { checkCard } from '../../../../src/server/domain/wallet/cards.ts'

const place = {
  lat: 40.8543,
  lng: -74.0201,
  address: '85 Main Street, Ridgefield Park, NJ 07660',
  name: 'Ridgefield Park',
}
const short = { address: 'Main Street', name: 'Main' }
const information = { count: 1, info: [{ title: 'Opening hours', content: ['Mon to Fri 9:00 to 18:00'] }] }
const persons = {
  person: [
    { category: 'Adult', count: '2' },
    { category: 'Child', count: 1 },
  ],
}
const barcode = { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '4006381333931' }
const whole = { barcode, locations: [place], additionalInformation: information, classification: persons }

const errorsOf = (card: unknown) => checkCard(card).errors.map(({ path, code }) => `${path} ${code}`)

describe('a card without errors', () => {
  test('a valid card has no errors and no warnings', () => {
    expect(checkCard(whole)).toEqual({ errors: [], warnings: [] })
  })

  test('a card can be given as JSON text', () => {
    expect(checkCard(JSON.stringify(whole))).toEqual({ errors: [], warnings: [] })
  })

  test('each part of a card can be given as an escaped JSON string', () => {
    const escaped = Object.fromEntries(Object.entries(whole).map(([name, part]) => [name, JSON.stringify(part)]))
    expect(checkCard(escaped)).toEqual({ errors: [], warnings: [] })
  })

  test('each part of a card can be absent or empty', () => {
    expect(checkCard({})).toEqual({ errors: [], warnings: [] })
    expect(checkCard({ barcode: '', locations: null, classification: undefined })).toEqual({ errors: [], warnings: [] })
  })
})

test('a card that is not an object is reported as a single error', () => {
  expect(errorsOf('card')).toEqual([' InvalidJson'])
  for (const input of [undefined, null, '[]', 7, []]) expect(errorsOf(input)).toEqual([' InvalidType'])
})

test('a part that is not JSON is an error, and double escaping is reported', () => {
  expect(errorsOf({ locations: '[{' })).toEqual(['locations InvalidJson'])
  const twice = checkCard({ locations: JSON.stringify(JSON.stringify([short])) })
  expect(twice.errors[0]).toMatchObject({
    code: 'InvalidJson',
    message: expect.stringContaining('escaped once too often'),
  })
  const backslashes = checkCard({ locations: JSON.stringify(JSON.stringify([short])).slice(1, -1) })
  expect(backslashes.errors[0]).toMatchObject({ message: expect.stringContaining('escaped once too often') })
})

test('every error in a card contains its path and the rule that it violates', () => {
  const card = {
    barcode: {},
    locations: [{}],
    additionalInformation: { count: 3, info: [{}] },
    classification: { person: [{}] },
  }
  const { errors } = checkCard(card)
  expect(errors.length).toBeGreaterThan(8)
  for (const { message, path, source } of errors) {
    expect(findRule(source)).toBeDefined()
    expect(message.startsWith(path)).toBe(true)
  }
})

test('checking arbitrary input as a card reports errors instead of throwing', () => {
  const part = fc.oneof(fc.anything(), fc.json(), fc.jsonValue())
  const card = fc.oneof(
    fc.anything(),
    fc.record({ barcode: part, locations: part, additionalInformation: part, classification: part }),
  )
  fc.assert(
    fc.property(card, (input) => {
      expect(Object.keys(checkCard(input))).toEqual(['errors', 'warnings'])
    }),
    { numRuns: 1000 },
  )
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(errorsOf({ locations: cycle, classification: 1n })).toEqual([
    'locations InvalidJson',
    'classification InvalidJson',
  ])
  expect(errorsOf({ locations: '['.repeat(1_000_000) })).toEqual(['locations TooLong'])
  expect(errorsOf({ locations: `${'['.repeat(8000)}${']'.repeat(8000)}` })).toEqual(['locations[0] InvalidType'])
})
