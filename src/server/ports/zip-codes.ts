import type { ZipCodeRecord } from '#contract/records/guest/zip-code.ts'

/** US ZIP codes are reference data that never changes, so all worlds share them. */
export interface ZipCodes {
  find(zipCode: string): ZipCodeRecord | undefined
}
