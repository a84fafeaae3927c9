import { describe, expect, test } from 'vitest'
import { inWarranty, isFutureDate, warrantyEndDate } from '../../../../src/server/domain/dealer/warranty.ts'

describe('a warranty', () => {
  test.each([
    ['2026-03-01', 12, '2027-03-01'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2027-01-31', 13, '2028-02-29'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-05-06', 0, '2026-05-06'],
    ['2026-05-06', 120, '2036-05-06'],
  ])('a warranty that starts on %s and lasts %i months ends on %s', (from, months, end) => {
    expect(warrantyEndDate(from, months)).toBe(end)
  })

  test('a warranty includes its last day', () => {
    expect(inWarranty('2026-05-06', Date.parse('2026-05-06T23:59:59.999Z'))).toBe(true)
    expect(inWarranty('2026-05-06', Date.parse('2026-05-07T00:00:00Z'))).toBe(false)
  })
})

test('a date is in the future until its day starts in UTC', () => {
  expect(isFutureDate('2026-05-07', Date.parse('2026-05-06T23:59:59.999Z'))).toBe(true)
  expect(isFutureDate('2026-05-07', Date.parse('2026-05-07T00:00:00Z'))).toBe(false)
})
