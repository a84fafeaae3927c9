import { describe, expect, test } from 'vitest'
import { datesOf } from '../../../src/server/seed/relative-dates.ts'

const NOW = Date.parse('2026-03-06T02:00:00.000Z')
const at = (text: string, now = NOW) => datesOf(text)?.(now)

describe('a relative date', () => {
  test('a relative date can be a timestamp relative to the start', () => {
    expect(at('-P40D')).toBe('2026-01-25T02:00:00.000Z')
    expect(at('+P2DT3H30M')).toBe('2026-03-08T05:30:00.000Z')
  })

  test('a relative date can be a day relative to the start', () => {
    expect(at('date -P1D')).toBe('2026-03-05')
  })

  test('a relative date plus whole months uses the last day of a shorter month', () => {
    expect(at('date -P34D +P1M')).toBe('2026-02-28')
    expect(at('date -P34D +P12M')).toBe('2027-01-31')
  })

  test('a relative date can count days in the calendar of a time zone', () => {
    expect(at('date +P0D in America/New_York')).toBe('2026-03-05')
    expect(at('date +P2D in Pacific/Guam')).toBe('2026-03-08')
    expect(at('ASC001-IH-{+P2D in America/New_York}-AM')).toBe('ASC001-IH-20260307-AM')
  })

  test('a relative date can be a local time, before and after a daylight saving change', () => {
    expect(at('+P2D at 09:30 in America/New_York')).toBe('2026-03-07T14:30:00.000Z')
    expect(at('+P3D at 09:30 in America/New_York')).toBe('2026-03-08T13:30:00.000Z')
    expect(at('+P3D at 00:30 in America/New_York')).toBe('2026-03-08T05:30:00.000Z')
  })

  test('relative dates are replaced at any depth of a record, and other strings are unchanged', () => {
    const record = { name: '+Plus', phone: '+12015550143', list: [{ when: 'date +P1D' }], nothing: null, count: 3 }
    expect(datesOf(record)?.(NOW)).toEqual({ ...record, list: [{ when: '2026-03-07' }] })
    expect(datesOf({ ...record, list: [] })).toBeUndefined()
  })
})
