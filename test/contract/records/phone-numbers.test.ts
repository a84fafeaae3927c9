import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { expect, test } from 'vitest'
import { findPhoneNumber } from '../../../src/contract/records/formats.ts'

const areas = Array.from({ length: 900 }, (_, i) => String(100 + i))
const notations = [
  (area: string) => `+1${area}5550143`,
  (area: string) => `${area}5550143`,
  (area: string) => `(${area}) 555-0143`,
  (area: string) => `+1 ${area}-055-0143`,
  (area: string) => `+1.(${area})111.0143`,
  (area: string) => `(${area}-555 0143`,
  (area: string) => `1${area}5550143`,
  (area: string) => `${area}--555-0143`,
]

test.each(notations)('a US phone number is parsed as the phone number library parses it: %s', (write) => {
  const numbers = areas.map(write)
  const expected = numbers.map((number) => {
    const parsed = parsePhoneNumberFromString(number, 'US')
    return parsed?.isPossible() ? parsed.number : undefined
  })
  expect(numbers.map(findPhoneNumber)).toEqual(expected)
})
