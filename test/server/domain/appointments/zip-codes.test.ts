import { describe, expect, it } from 'vitest'
import { createZipCodeTable } from '../../../../src/server/adapters/node/zip-codes.ts'
import { DomainError } from '../../../../src/server/domain/errors.ts'
import { lookUpZipCode } from '../../../../src/server/domain/appointments/zip-codes.ts'

const ports = { zipCodes: createZipCodeTable(new URL('../../../../fixtures/zip-codes.tsv.gz', import.meta.url)) }

describe('looking up a zip code', () => {
  it('looking up an assigned zip code returns its record', () => {
    expect(lookUpZipCode(ports, '07660')).toMatchObject({ zipCode: '07660', city: 'Ridgefield Park', state: 'NJ' })
  })

  it('looking up an unassigned zip code is rejected as not found', () => {
    expect.assertions(2)
    try {
      lookUpZipCode(ports, '00000')
    } catch (error) {
      expect(error).toBeInstanceOf(DomainError)
      expect(error).toMatchObject({ code: 'not-found', message: 'zip code 00000 is not in use' })
    }
  })
})
