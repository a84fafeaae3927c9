import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { nodeDigests } from '../../../src/server/adapters/node/digests.ts'
import { createZipCodeTable } from '../../../src/server/adapters/node/zip-codes.ts'
import { startVendorCloud } from '../../../src/index.ts'
import { type CollectionName, collectionNames } from '../../../src/contract/records/collections.ts'
import { readFixtures, resolveFixtures } from '../../../src/server/seed/fixtures.ts'
import { readOwnFixtures } from '../../../src/server/seed/own-fixtures.ts'

const OURS = join(import.meta.dirname, '../../../fixtures')
const now = Date.parse('2026-05-06T16:00:00Z')
const builtIn = await readFixtures(OURS)
const zipCodes = createZipCodeTable(join(OURS, 'zip-codes.tsv.gz'))
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-fixtures-'))
beforeEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function read(files: Readonly<Record<string, unknown>>) {
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const fixtures = await readOwnFixtures(folder, { builtIn, zipCodes, digests: nodeDigests, now })
  return (name: CollectionName) => [...resolveFixtures(fixtures, name, now)]
}

const customer = {
  bpNo: '1999999999',
  companyId: 'C100',
  firstName: 'Ida',
  lastName: 'Björk',
  email: 'ida@example.com',
  phoneNumber: '+12015550199',
  address1: '1 Main Street',
  zipCode: '07660-1234',
  createdAt: '-P10D',
}

test('a fixture folder without record files gives exactly the built-in fixtures', async () => {
  const list = await read({ 'README.md': 'no fixtures' })
  for (const name of collectionNames) expect(list(name)).toEqual([...resolveFixtures(builtIn, name, now)])
})

test('a fixture file replaces the built-in file of the same name and drops dangling records', async () => {
  const list = await read({ 'customers.json': [customer] })
  expect(list('customers')).toHaveLength(1)
  expect(list('stores')).toEqual([...resolveFixtures(builtIn, 'stores', now)])
  expect(list('tickets')).toEqual([])
  const inStore = new Set(list('inStoreRequests').map(({ srid }) => srid))
  expect(list('bookings').length).toBeGreaterThan(0)
  expect(list('bookings').filter(({ srid }) => !inStore.has(srid))).toEqual([])
  expect(list('registeredProducts').every(({ userId }) => userId !== undefined)).toBe(true)
})

test('fixture fields that can be derived from other fields or referenced records can be omitted', async () => {
  const list = await read({
    'customers.json': [customer],
    'registered-products.json': [
      {
        productId: 'P-1',
        bpNo: customer.bpNo,
        modelCode: 'VM-TV55',
        serialNumber: '0TV55XYZ12A',
        purchaseDate: 'date -P30D',
        serviceType: 'IH',
        registeredAt: '-P29D',
      },
    ],
    'tickets.json': [
      {
        srid: '4199999999',
        ticketNumber: '7299999999',
        serviceType: 'IH',
        bpNo: customer.bpNo,
        modelCode: 'VM-TV55',
        serialNumber: '0TV55XYZ12A',
        symptoms: [],
        ascCode: 'ASC001',
        inWarranty: true,
        createdAt: '-P1D',
      },
    ],
    'stores.json': [
      {
        storeId: 'S1',
        storeNumber: '1',
        storeName: 'One',
        storePhone: '201-555-0143',
        companyId: 'C100',
        address1: '1 Main Street',
        zipCode: '90001',
        ascCode: 'ASC003',
        hours: [],
        closedDates: [],
        services: [],
      },
    ],
    'access-tokens.json': [
      { token: 'mine', user: 'me', scopes: [], locations: ['11111111-0000-4000-8000-000000000001'], expiresAt: '+P1D' },
    ],
  })
  const createdAt = '2026-04-26T16:00:00.000Z'
  const place = { city: 'Ridgefield Park', state: 'NJ', country: 'US' }
  const [kept] = list('customers')
  expect(kept).toMatchObject({
    firstNameKey: 'ida',
    lastNameKey: 'björk',
    zip5: '07660',
    ...place,
    updatedAt: createdAt,
  })
  expect(list('registeredProducts')).toMatchObject([
    { companyId: 'C100', subType: 'TV', category: 'TV-AUDIO-TELEVISIONS', warrantyEndDate: '2027-04-06' },
  ])
  expect(list('tickets')).toMatchObject([
    {
      status: 'E0001',
      history: [{ at: '2026-05-05T16:00:00.000Z', to: 'E0001' }],
      companyId: 'C100',
      customer: { lastName: 'Björk', createdAt },
      phoneNumber: customer.phoneNumber,
      ascName: 'Vendor Care Ridgefield Park',
    },
  ])
  expect(list('tickets')[0]!['customer']).not.toHaveProperty('zip5')
  expect(list('stores')).toMatchObject([{ city: 'Los Angeles', timeZone: 'America/Los_Angeles', ascType: 'WALKIN' }])
  expect(list('accessTokens')).toMatchObject([{ tokenDigest: nodeDigests.sha256('mine'), user: 'me' }])
})

test('all errors in fixture files are reported together, with file, record, field and a suggestion', async () => {
  const failing = read({
    'custommers.json': [],
    'sellers.json': '[{"secret": ',
    'partners.json': { partnerCode: 'partner-1' },
    'customers.json': [
      { ...customer, zipCode: '7660', lastNam: 'Björk', lastName: undefined },
      { ...customer, companyId: 'C10', createdAt: 'yesterday' },
    ],
    'stores.json': [],
    'service-centers.json': [{ ascCode: 'ASC001', hours: [{ dayOfWeek: 8, opens: '09:00', close: '18:00' }] }],
    'tickets.json': [{ srid: '4199999999', bpNo: '1999999998', ascCode: 'ASC02' }],
    'locations.json': [{ locationId: 'l', name: 'L', rooms: [], hubs: [], timeZone: 'date +P2D in Nowhere/Here' }],
  })
  const error = await failing.then(
    () => expect.fail('it was taken'),
    (thrown: Error) => thrown,
  )
  expect(error.name).toBe('UnusableState')
  const lines = error.message.split('\n')
  const customerTwo = 'customers.json, record 2 (1999999999)'
  const ticketOne = 'tickets.json, record 1 (4199999999)'
  expect(lines).toEqual(
    expect.arrayContaining([
      'custommers.json does not match a collection; the nearest is customers.json',
      expect.stringMatching(/^sellers\.json cannot be read: .*JSON/),
      'partners.json must contain a list of records',
      'customers.json, record 1 (1999999999): has no field lastNam; the nearest is lastName',
      'customers.json, record 1 (1999999999): lastName is required',
      'customers.json, record 1 (1999999999): zipCode must be a US zip code, 5 or 5+4 digits',
      `${customerTwo}: companyId C10 does not exist in companies.json; the nearest is C100`,
      `${customerTwo}: createdAt must be a timestamp such as 2026-03-31T14:00:00.000Z, or -P40D from the world's start`,
      `${customerTwo}: bpNo is the same as in record 1`,
      'service-centers.json, record 1 (ASC001): hours[0] has no field opens; the nearest is open',
      'service-centers.json, record 1 (ASC001): hours[0].dayOfWeek must be at most 7',
      `${ticketOne}: bpNo 1999999998 does not exist in customers.json; the nearest is 1999999999`,
      `${ticketOne}: ascCode ASC02 does not exist in service-centers.json; the nearest is ASC001`,
    ]),
  )
  expect(lines.filter((line) => line.startsWith('locations.json, record 1 (l): '))).toHaveLength(1)
})

test('if fixtures have more than 100 errors, the message lists 100 and counts the rest', async () => {
  const failing = read({ 'partners.json': Array.from({ length: 120 }, () => ({ partner: 'p' })) })
  await expect(failing).rejects.toThrow(/\nand \d+ more$/)
})

test('a server starts with a custom fixture file, and rejects an invalid file', async () => {
  await read({ 'customers.json': [customer] })
  const cloud = await startVendorCloud({ fixtures: folder, port: false })
  const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
  const reply = await cloud.fetch('/stg/us/dealer/customers?zipCode=07660', { headers })
  expect(await reply.json()).toMatchObject({ bpNo: customer.bpNo })
  await cloud.stop()
  writeFileSync(join(folder, 'customers.json'), JSON.stringify([{ ...customer, frstName: 'Ida' }]))
  const refused = startVendorCloud({ fixtures: folder, port: false })
  await expect(refused).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringContaining('frstName') })
})
