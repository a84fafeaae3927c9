import { describe, expect, test } from 'vitest'
import { createZipCodeTable } from '../../../../src/server/adapters/node/zip-codes.ts'
import { toChoiceValues } from '../../../../src/contract/records/control/choice-values.ts'
import type { World } from '../../../../src/server/ports/world.ts'
import { assertAddress } from '../../../../src/server/domain/dealer/customers.ts'

const settings = { choices: toChoiceValues() } as World
const zipCodes = createZipCodeTable(new URL('../../../../fixtures/zip-codes.tsv.gz', import.meta.url))
const check = (zipCode: string, state: string) => () =>
  assertAddress({ zipCodes, world: settings }, { city: '', zipCode, state })

describe('an address', () => {
  test.each([
    ['07660', 'NJ'],
    ['07660-1234', 'NJ'],
  ])('an address can have the zip code %s and the state %s', (zipCode, state) => {
    expect(check(zipCode, state)).not.toThrow()
  })

  test.each([
    ['07660', 'NY'],
    ['00000', 'NJ'],
  ])('an address with the zip code %s and the state %s is rejected', (zipCode, state) => {
    expect(check(zipCode, state)).toThrow('body.')
  })
})
