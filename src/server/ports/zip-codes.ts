import type { ZipCodeRecord } from '#contract/records/guest/zip-code.ts'

/** Real US zip codes never change, so all worlds share them. */
export interface ZipCodes {
  find(zipCode: string): ZipCodeRecord | undefined
}
