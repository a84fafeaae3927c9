import { beforeAll, expect, test } from 'vitest'
import { vendorChanges } from './vendor-changes.ts'
import { openVendor } from './changed-server.ts'
import { compare, describe, record } from './compared.ts'
import { visit } from './visits.ts'

/**
 * Changes that each cause one kind of difference. `npm test` uses these with one seed. `npm run test:compare` uses all
 * changes with twenty seeds.
 */
const few = [
  'no change',
  'gzip compression',
  'zip codes of nine digits accepted in operation 30',
  'an additional field',
  'a missing slot',
  'another error code',
  'a missing SOAP element',
  'a truncated response',
]
const seeds = process.env['COMPARED_SEEDS']?.split(',')
const all = Object.entries(vendorChanges).flatMap(([name, vendor]) =>
  (seeds ?? (few.includes(name) ? ['theirs'] : [])).map((seed) => ({ name, seed, ...vendor })),
)

let text = ''
beforeAll(async () => {
  text = await record(visit)
})

test.each(all)(
  'compare reports exactly the expected differences of a vendor with this change: $name (seed $seed)',
  async ({ seed, vendor, shows }) => {
    const upstream = await openVendor(vendor, seed)
    const { code, report, stderr } = await compare(text, '--upstream', upstream, '--allow-writes')
    expect([stderr, describe(report)]).toEqual([expect.stringContaining('calls: 41'), shows.toSorted()])
    expect(code).toBe(shows.length > 0 ? 1 : 0)
    expect(report.streams).toEqual({ compared: 2, notCompared: 0 })
  },
)
