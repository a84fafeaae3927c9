import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { ZipCodes } from '#server/ports/zip-codes.ts'
import { stateNames } from '#contract/records/states.ts'
import type { ZipCodeRecord } from '#contract/records/guest/zip-code.ts'

/** Read on first use to keep startup fast, and kept as a buffer instead of 41,000 objects. */
export function createZipCodeTable(path: string | URL): ZipCodes {
  let table: Table | undefined
  const known = new Map<string, ZipCodeRecord>()

  function read(zipCode: string): ZipCodeRecord | undefined {
    if (!/^[0-9]{5}$/.test(zipCode)) return undefined
    table ??= readTable(path)
    const { bytes, starts } = table
    const start = starts[Number(zipCode)]!
    if (start < 0) return undefined
    const record = toRecord(bytes.toString('utf8', start, endOfRow(bytes, start)))
    known.set(zipCode, record)
    return record
  }

  return { find: (zipCode) => known.get(zipCode) ?? read(zipCode) }
}

interface Table {
  bytes: Buffer
  /** Row positions by the number of the ZIP code, or -1. */
  starts: Int32Array
}

function readTable(path: string | URL): Table {
  const bytes = gunzipSync(readFileSync(path))
  const starts = new Int32Array(100_000).fill(-1)
  for (let start = 0; start < bytes.length; start = endOfRow(bytes, start) + 1) {
    starts[Number(bytes.toString('latin1', start, start + 5))] = start
  }
  return { bytes, starts }
}

function toRecord(row: string): ZipCodeRecord {
  const [zipCode = '', city = '', state = '', county = '', lat, lng, timeZone = ''] = row.split('\t')
  return Object.freeze({
    zipCode,
    city,
    state,
    stateName: stateNames.get(state) ?? '',
    county,
    country: 'US',
    lat: Number(lat),
    lng: Number(lng),
    timeZone,
  })
}

function endOfRow(bytes: Buffer, start: number): number {
  const end = bytes.indexOf('\n', start)
  return end < 0 ? bytes.length : end
}
