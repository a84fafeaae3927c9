import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { ZipCodes } from '#server/ports/zip-codes.ts'
import { stateNames } from '#contract/records/states.ts'
import type { ZipCodeRecord } from '#contract/records/guest/zip-code.ts'

/**
 * The gzipped table is read on first use, so that starting costs nothing. It stays bytes with an index of rows, instead
 * of 41,000 objects.
 */
export function createZipCodeTable(path: string | URL): ZipCodes {
  let table: Table | undefined
  const known = new Map<string, ZipCodeRecord>()

  function read(zipCode: string): ZipCodeRecord | undefined {
    if (!/^[0-9]{5}$/.test(zipCode)) return undefined
    table ??= readTable(path)
    const record = findRow(table, zipCode)
    if (record) known.set(record.zipCode, record)
    return record
  }

  return { find: (zipCode) => known.get(zipCode) ?? read(zipCode) }
}

interface Table {
  bytes: Buffer
  /** Gives for each zip code, as a number, where its row begins, or -1. */
  starts: Int32Array
}

const newline = 10
const zipCodeDigits = 5

function readTable(path: string | URL): Table {
  const bytes = gunzipSync(readFileSync(path))
  const starts = new Int32Array(100_000).fill(-1)
  let start = 0
  while (start < bytes.length) {
    starts[toNumber(bytes, start)] = start
    start = endOfRow(bytes, start) + 1
  }
  return { bytes, starts }
}

function findRow({ bytes, starts }: Table, zipCode: string): ZipCodeRecord | undefined {
  const start = starts[Number(zipCode)] ?? -1
  return start < 0 ? undefined : toRecord(bytes.toString('utf8', start, endOfRow(bytes, start)))
}

function toRecord(row: string): ZipCodeRecord {
  const [zipCode = '', city = '', state = '', county = '', latitude, longitude, timeZone = ''] = row.split('\t')
  return Object.freeze({
    zipCode,
    city,
    state,
    stateName: stateNames.get(state) ?? '',
    county,
    country: 'US',
    latitude: Number(latitude),
    longitude: Number(longitude),
    timeZone,
  })
}

function toNumber(bytes: Buffer, start: number): number {
  let number = 0
  for (let i = start; i < start + zipCodeDigits; i++) number = number * 10 + ((bytes[i] ?? 0) - 48)
  return number
}

function endOfRow(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(newline, start)
  return end < 0 ? bytes.length : end
}
