import { beforeAll, expect, test } from 'vitest'
import { vendorChanges } from './vendor-changes.ts'
import { openVendor } from './changed-server.ts'
import { compare, describe, record } from './compared.ts'
import { visit } from './visits.ts'

/**
 * Configurations that each show one kind of difference. `npm test` uses them with one seed. `npm run test:compare` uses
 * all configurations with twenty seeds.
 */
const few = [
  'nothing at all',
  'gzip',
  'operation 30 takes nine digits',
  'a further field',
  'a slot that is gone',
  'another error code',
  'an element of SOAP that is not there',
  'a reply that is cut off',
]
const seeds = process.env['COMPARED_SEEDS']?.split(',')
const all = Object.entries(vendorChanges).flatMap(([name, vendor]) =>
  (seeds ?? (few.includes(name) ? ['theirs'] : [])).map((seed) => ({ name, seed, ...vendor })),
)

let text = ''
beforeAll(async () => {
  text = await record(visit)
})

test.each(all)('a vendor with $name (seed $seed) shows exactly that difference', async ({ seed, vendor, shows }) => {
  const upstream = await openVendor(vendor, seed)
  const { code, report, stderr } = await compare(text, '--upstream', upstream, '--allow-writes')
  expect([stderr, describe(report)]).toEqual([expect.stringContaining('calls: 41'), shows.toSorted()])
  expect(code).toBe(shows.length > 0 ? 1 : 0)
  expect(report.streams).toEqual({ compared: 2, notCompared: 0 })
})
