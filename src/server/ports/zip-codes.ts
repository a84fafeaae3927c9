import type { ZipCodeRecord } from '../../contract/records/guest/zip-code.ts'

/** The real US zip codes: reference data that never changes and that all worlds share. */
export interface ZipCodes {
  find(zipCode: string): ZipCodeRecord | undefined
}
