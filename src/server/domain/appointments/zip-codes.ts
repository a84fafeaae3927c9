import type { Ports } from '../../ports.ts'
import type { ZipCodeRecord } from '../../../contract/records/guest/zip-code.ts'
import { notFound } from '../errors.ts'

/** The place a zip code stands for; one that is not in use is not found. */
export function lookUpZipCode({ zipCodes }: Pick<Ports, 'zipCodes'>, zipCode: string): ZipCodeRecord {
  const record = zipCodes.find(zipCode)
  if (!record) throw notFound(`zip code ${zipCode} is not in use`, 'our choice: zip-codes')
  return record
}
