import type { ZipCodeRecord } from '../../contract/records/guest/zip-code.ts'

/** The real US zip codes: reference data that never changes and that all worlds share. */
export interface ZipCodes {
  /** The record of a zip code in use. */
  find(zipCode: string): ZipCodeRecord | undefined
}
