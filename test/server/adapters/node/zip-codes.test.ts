import { describe, expect, it } from 'vitest'
import { createZipCodeTable } from '../../../../src/server/adapters/node/zip-codes.ts'
import { stateNames } from '../../../../src/contract/records/states.ts'
import { type ZipCodeRecord, zipCodeRecord } from '../../../../src/contract/records/guest/zip-code.ts'

const fixture = new URL('../../../../fixtures/zip-codes.tsv.gz', import.meta.url)
const table = createZipCodeTable(fixture)

describe('the table of zip codes', () => {
  it('the table has all US zip codes with a valid schema, state and time zone', () => {
    const records = findAll()
    expect(records.length).toBeGreaterThan(41_000)
    expect(records.length).toBeLessThan(42_500)
    expect(records.flatMap((record) => zipCodeRecord.safeParse(record).error?.issues ?? [])).toEqual([])
    expect(records.filter(({ state, stateName }) => stateNames.get(state) !== stateName)).toEqual([])
    expect(new Set(records.map(({ state }) => state))).toEqual(new Set(stateNames.keys()))
    const zones = new Set(records.map(({ timeZone }) => timeZone))
    for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en-US', { timeZone })).not.toThrow()
  })

  it('the table has a county for every zip code in the 50 states and DC', () => {
    const elsewhere = ['AA', 'AE', 'AP', 'AS', 'FM', 'GU', 'MP', 'PR', 'PW', 'VI']
    const withoutCounty = findAll().filter(({ county }) => county === '')
    expect(withoutCounty.map(({ state }) => state).filter((state) => !elsewhere.includes(state))).toEqual([])
  })

  it('a zip code record has every field of a place', () => {
    expect(table.find('07660')).toEqual({
      zipCode: '07660',
      city: 'Ridgefield Park',
      state: 'NJ',
      stateName: 'New Jersey',
      county: 'Bergen',
      country: 'US',
      lat: 40.8562,
      lng: -74.023,
      timeZone: 'America/New_York',
    })
  })

  it.each([
    ['10001', 'New York', 'NY', 'New York', 'America/New_York'],
    ['90001', 'Los Angeles', 'CA', 'Los Angeles', 'America/Los_Angeles'],
    ['99501', 'Anchorage', 'AK', 'Anchorage Municipality', 'America/Anchorage'],
    ['87936', 'Garfield', 'NM', 'Doña Ana', 'America/Denver'],
    ['00901', 'San Juan', 'PR', '', 'America/Puerto_Rico'],
    ['96799', 'Pago Pago', 'AS', '', 'Pacific/Pago_Pago'],
    ['09012', 'APO', 'AE', '', 'Europe/Berlin'],
    ['96365', 'APO', 'AP', '', 'Asia/Tokyo'],
    ['96860', 'Jbphh', 'HI', 'Honolulu', 'Pacific/Honolulu'],
  ])('the table returns zip code %s as %s, %s', (zipCode, city, state, county, timeZone) => {
    expect(table.find(zipCode)).toMatchObject({ zipCode, city, state, county, timeZone })
  })

  it.each([
    ['Phenix City, Alabama, near the border with Georgia', '36867', 'America/Chicago'],
    ['Wewahitchka, Florida, in the north of Gulf County', '32465', 'America/Chicago'],
    ['Port Saint Joe, Florida, in the south of Gulf County', '32456', 'America/New_York'],
    ['Gary, Indiana, near Chicago', '46402', 'America/Chicago'],
    ['Window Rock, Arizona, in the Navajo Nation', '86515', 'America/Denver'],
    ['Second Mesa, Arizona, on the Hopi Reservation', '86043', 'America/Phoenix'],
    ['El Paso, Texas', '79901', 'America/Denver'],
    ['Pine Ridge, South Dakota', '57770', 'America/Denver'],
  ])('the table has the legal time zone for %s', (_place, zipCode, timeZone) => {
    expect(table.find(zipCode)?.timeZone).toBe(timeZone)
  })

  it.each(['00000', '99999', '', '7660', '076601', '07660-1234', '0766O', '-7660', '7.660', ' 7660'])(
    'the table finds no record for "%s"',
    (zipCode) => {
      expect(table.find(zipCode)).toBeUndefined()
    },
  )

  it('the table returns frozen records', () => {
    expect(Object.isFrozen(table.find('07660'))).toBe(true)
  })

  it('the table reads its file at the first lookup of a well-formed zip code', () => {
    const missing = createZipCodeTable(new URL('no-such-file.gz', fixture))
    expect(missing.find('no zip code')).toBeUndefined()
    expect(() => missing.find('07660')).toThrow(/ENOENT/)
  })
})

function findAll(): ZipCodeRecord[] {
  const records: ZipCodeRecord[] = []
  for (let number = 0; number < 100_000; number++) {
    const record = table.find(String(number).padStart(5, '0'))
    if (record) records.push(record)
  }
  return records
}
