import { describe, expect, test } from 'vitest'
import { createZipCodeTable } from '../../../src/adapters/node/zip-codes.ts'
import { assertAddress } from '../../../src/domain/dealer/addresses.ts'

const ports = { zipCodes: createZipCodeTable(new URL('../../../fixtures/zip-codes.tsv.gz', import.meta.url)) }
const check = (zipCode: string, city: string, state: string) => () => assertAddress(ports, { zipCode, city, state })

describe('an address', () => {
  test.each([
    ['07660', 'Ridgefield Park', 'NJ'],
    ['07660-1234', ' ridgefield-park ', 'NJ'],
    ['63101', 'St. Louis', 'MO'],
    ['63101', 'Saint Louis', 'MO'],
    ['76102', 'Ft Worth', 'TX'],
  ])('at %s may say %j, %s', (zipCode, city, state) => {
    expect(check(zipCode, city, state)).not.toThrow()
  })

  test.each([
    ['07660', 'Ridgefield', 'NJ'],
    ['07660', 'constructor', 'NJ'],
    ['07660', 'Ridgefield Park', 'NY'],
    ['00000', 'Ridgefield Park', 'NJ'],
  ])('at %s may not say %j, %s', (zipCode, city, state) => {
    expect(check(zipCode, city, state)).toThrow('body.')
  })
})
