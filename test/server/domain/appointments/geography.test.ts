import { describe, expect, it } from 'vitest'
import { createZipCodeTable } from '../../../../src/server/adapters/node/zip-codes.ts'
import { milesBetween } from '../../../../src/server/domain/appointments/service-centers.ts'
import { lookUpZipCode } from '../../../../src/server/domain/appointments/zip-codes.ts'

const ports = { zipCodes: createZipCodeTable(new URL('../../../../fixtures/zip-codes.tsv.gz', import.meta.url)) }

describe('the distance in miles', () => {
  it('the distance from a place to itself is zero', () => {
    const place = lookUpZipCode(ports, '07660')
    expect(milesBetween(place, place)).toBe(0)
  })

  it('the distance is the great-circle distance and equal in both directions', () => {
    const newYork = lookUpZipCode(ports, '10001')
    const losAngeles = lookUpZipCode(ports, '90001')
    expect(milesBetween(newYork, losAngeles)).toBeCloseTo(2449, -1)
    expect(milesBetween(losAngeles, newYork)).toBe(milesBetween(newYork, losAngeles))
  })

  it("the distance of one degree of latitude is 1/360 of the earth's circumference", () => {
    expect(milesBetween({ lat: 40, lng: -74 }, { lat: 41, lng: -74 })).toBeCloseTo(69.09, 1)
  })

  it('the distance across the 180th meridian is measured along the shorter way', () => {
    expect(milesBetween({ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 })).toBeCloseTo(69.09, 1)
  })

  it("the distance between opposite points is half the earth's circumference", () => {
    const here = { lat: 40.7484, lng: -73.9967 }
    const opposite = { lat: -40.7484, lng: 106.0033 }
    expect(milesBetween(here, opposite)).toBeCloseTo(12_436.8, 1)
  })
})
