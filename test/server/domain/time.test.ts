import { describe, expect, test } from 'vitest'
import { findInstant, localDate } from '../../../src/contract/records/local-times.ts'
import { addDays, dayOfWeek, daysBetween, toTimeOfDay } from '../../../src/server/domain/time.ts'

const NEW_YORK = 'America/New_York'
const at = (date: string, time: string, zone = NEW_YORK) => {
  const instant = findInstant(date, time, zone)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

describe('time zones', () => {
  test('a local time is converted to UTC with the offset for that time of year', () => {
    expect(at('2026-01-15', '09:30')).toBe('2026-01-15T14:30:00.000Z')
    expect(at('2026-07-15', '09:30')).toBe('2026-07-15T13:30:00.000Z')
    expect(at('2026-07-15', '09:30', 'America/Phoenix')).toBe('2026-07-15T16:30:00.000Z')
    expect(at('2026-07-15', '00:00', 'Pacific/Guam')).toBe('2026-07-14T14:00:00.000Z')
    expect(at('2026-07-15', '23:30', 'Pacific/Honolulu')).toBe('2026-07-16T09:30:00.000Z')
  })

  test('a local time skipped at the start of daylight saving time has no UTC timestamp', () => {
    expect(at('2026-03-08', '01:59')).toBe('2026-03-08T06:59:00.000Z')
    expect(at('2026-03-08', '02:00')).toBeUndefined()
    expect(at('2026-03-08', '02:59')).toBeUndefined()
    expect(at('2026-03-08', '03:00')).toBe('2026-03-08T07:00:00.000Z')
  })

  test('a local time repeated at the end of daylight saving time means its first occurrence', () => {
    expect(at('2026-11-01', '00:30')).toBe('2026-11-01T04:30:00.000Z')
    expect(at('2026-11-01', '01:30')).toBe('2026-11-01T05:30:00.000Z')
    expect(at('2026-11-01', '02:00')).toBe('2026-11-01T07:00:00.000Z')
  })

  test('the local date changes at local midnight', () => {
    expect(localDate(Date.parse('2026-05-07T03:59:59Z'), NEW_YORK)).toBe('2026-05-06')
    expect(localDate(Date.parse('2026-05-07T04:00:00Z'), NEW_YORK)).toBe('2026-05-07')
    expect(localDate(Date.parse('2026-11-02T04:59:59Z'), NEW_YORK)).toBe('2026-11-01')
  })

  test('every local time within two years converts to a timestamp with the same date', () => {
    for (let date = '2025-01-01'; date < '2027-01-01'; date = addDays(date, 1)) {
      for (const zone of [NEW_YORK, 'America/Los_Angeles', 'Pacific/Guam']) {
        for (const minute of [0, 90, 120, 150, 720, 1410]) {
          const instant = findInstant(date, toTimeOfDay(minute), zone)
          if (instant === undefined) expect(['2025-03-09', '2026-03-08']).toContain(date)
          else expect(localDate(instant, zone)).toBe(date)
        }
      }
    }
  })

  test('days are counted correctly across months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-12-31', 14)).toBe('2027-01-14')
    expect(daysBetween('2026-02-01', '2026-03-04')).toBe(31)
    expect(daysBetween('2026-03-02', '2026-03-01')).toBe(-1)
  })

  test('the days of the week are numbered from 1 for Monday to 7 for Sunday', () => {
    expect(['2026-05-04', '2026-05-06', '2026-05-10'].map(dayOfWeek)).toEqual([1, 3, 7])
  })
})
