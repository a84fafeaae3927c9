import type { Source } from '#contract/rules.ts'
import type { Ports } from '#server/ports.ts'
import type { ZipCodeRecord } from '#contract/records/guest/zip-code.ts'
import { finding, invalidInput, notFound } from '../errors.ts'

/** Operation 30. If the world accepts ZIP+4 codes, only the first five digits of such a code are used. */
export function lookUpWrittenZipCode(ports: Pick<Ports, 'zipCodes' | 'world'>, written: string): ZipCodeRecord {
  if (written.length > 5 && ports.world.choices['zip-plus-four'] === 'refused') {
    const rule = 'must be 5 digits, because 5+4 digits are not accepted'
    throw invalidInput(
      [finding('query.zipCode', rule, { code: 'InvalidLength', source: 'our choice: zip-plus-four' })],
      'invalid zip code',
    )
  }
  return lookUpZipCode(ports, written.slice(0, 5))
}

export function lookUpZipCode(
  { zipCodes }: Pick<Ports, 'zipCodes'>,
  zipCode: string,
  source: Source = 'our choice: zip-codes',
): ZipCodeRecord {
  const record = zipCodes.find(zipCode)
  if (!record) throw notFound(`zip code ${zipCode} is not in use`, source)
  return record
}
