import { describe, expect, test } from 'vitest'
import { paymentDate, toBillingState } from '../../../../src/server/domain/billing/billing-periods.ts'
import type { Purchase } from '../../../../src/contract/records/billing/purchase.ts'

const purchase: Purchase = {
  purchaseID: 'p',
  sellerSecret: '1',
  itemID: 'item',
  period: 'P1M',
  price: 5,
  currency: 'EUR',
  country: 'DEU',
  realMode: 'Y',
  purchasedAt: '2025-01-31T10:00:00.000Z',
  orderSeed: 'seed',
}

const standing = (changes: Partial<Purchase>, at: string) => {
  const { endsAt, cancellation, ...rest } = toBillingState({ ...purchase, ...changes }, Date.parse(at))
  const cancelled = cancellation && { ...cancellation, at: iso(cancellation.at) }
  return { ...rest, endsAt: iso(endsAt), cancellation: cancelled }
}
const iso = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z')
const payments = (changes: Partial<Purchase>, count: number) =>
  Array.from({ length: count }, (_, i) => iso(paymentDate({ ...purchase, ...changes }, i + 1)).slice(0, 10))

describe('the dates of payments', () => {
  test.each([
    ['at the end of the month', {}, ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30']],
    [
      'on 29 February',
      { purchasedAt: '2024-02-29T10:00:00Z', period: 'P1Y' },
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      'every quarter',
      { purchasedAt: '2024-11-30T10:00:00Z', period: 'P3M' },
      ['2024-11-30', '2025-02-28', '2025-05-30'],
    ],
    ['every week', { period: 'P1W' }, ['2025-01-31', '2025-02-07', '2025-02-14']],
    ['after a trial of one month', { freeTrial: 'P1M' }, ['2025-02-28', '2025-03-31', '2025-04-30']],
    [
      'after a trial of seven days',
      { freeTrial: 'P7D', purchasedAt: '2025-01-24T10:00:00Z' },
      ['2025-01-31', '2025-02-28', '2025-03-31'],
    ],
    [
      'with a period of a month and a day',
      { period: 'P1M1D', purchasedAt: '2025-01-30T10:00:00Z' },
      ['2025-01-30', '2025-03-01', '2025-04-01'],
    ],
  ])('payments are due on the expected dates: %s', (_, changes, expected) => {
    expect(payments(changes, expected.length)).toEqual(expected)
  })

  test('the day of a payment is the day in GMT', () => {
    const late = { purchasedAt: '2025-01-31T23:59:59.000-05:00' }
    expect(payments(late, 2)).toEqual(['2025-02-01', '2025-03-01'])
  })

  test.each(['P1M', 'P1Y', 'P1W', 'P1D', 'PT1S', 'P1M1D', 'P13M', 'P400D'])(
    'with the period %s, the number of payments increases exactly at each due date',
    (period) => {
      for (const number of [2, 3, 13, 100, 5000]) {
        const due = paymentDate({ ...purchase, period }, number)
        expect(toBillingState({ ...purchase, period }, due - 1).payments).toBe(number - 1)
        expect(toBillingState({ ...purchase, period }, due).payments).toBe(number)
      }
    },
  )
})

describe('a cancellation', () => {
  const cancellation = { at: '2025-03-05T08:00:00.000Z', reason: '3' } as const

  test('a cancelled purchase ends at the end of the paid period', () => {
    expect(standing({ cancellation }, '2027-01-01T00:00:00Z')).toMatchObject({
      payments: 2,
      endsAt: '2025-03-31T10:00:00Z',
      cancellation: { at: '2025-03-05T08:00:00Z', reason: '3' },
    })
  })

  test('a cancellation has no effect when the clock is set to an earlier time', () => {
    expect(standing({ cancellation }, cancellation.at)).toMatchObject({ cancellation: { reason: '3' } })
    expect(standing({ cancellation }, '2025-03-05T07:59:59Z')).toMatchObject({ payments: 2, cancellation: undefined })
  })

  test('a purchase that is cancelled in its free trial ends without any payment', () => {
    const changes = { freeTrial: 'P1M', cancellation: { at: '2025-02-01T00:00:00.000Z', reason: '1' } } as const
    const expected = { payments: 0, price: 0, plan: 'F', endsAt: '2025-02-28T10:00:00Z' }
    expect(standing(changes, '2025-02-28T09:59:59Z')).toMatchObject(expected)
    expect(standing(changes, '2025-02-28T10:00:00Z')).toMatchObject({ ...expected, plan: 'R' })
    const tiers = { price: 1, payments: 3 }
    expect(standing({ ...changes, tiers }, '2026-02-28T10:00:00Z')).toMatchObject({ ...expected, plan: 'R' })
  })
})

describe('test mode', () => {
  const test130 = { realMode: 'N' } as const
  const bySystem = { at: '2025-01-31T12:10:00Z', reason: '2' }

  test.each([
    ['10:00:00', 1, '10:10:00', undefined],
    ['10:09:59', 1, '10:10:00', undefined],
    ['10:10:00', 2, '10:20:00', undefined],
    ['12:09:59', 13, '12:10:00', undefined],
    ['12:10:00', 13, '12:10:00', bySystem],
    ['23:00:00', 13, '12:10:00', bySystem],
  ])('in test mode, the number of payments at %s is %i', (at, count, endsAt, cancellation) => {
    const expected = { payments: count, endsAt: `2025-01-31T${endsAt}Z`, cancellation }
    expect(standing(test130, `2025-01-31T${at}Z`)).toMatchObject(expected)
  })

  test('in test mode, a free trial counts as the first of the 13 periods', () => {
    const changes = { ...test130, freeTrial: 'P7D' }
    expect(standing(changes, '2025-01-31T10:09:59Z')).toMatchObject({ payments: 0, plan: 'F' })
    expect(standing(changes, '2025-01-31T10:10:00Z')).toMatchObject({ payments: 1, plan: 'R' })
    expect(standing(changes, '2025-01-31T12:10:00Z')).toMatchObject({ payments: 12, cancellation: bySystem })
  })

  test("a cancellation at the time of the system's own cancellation has no effect", () => {
    const cancellation = { at: '2025-01-31T12:10:00.000Z', reason: '1' } as const
    expect(standing({ ...test130, cancellation }, '2025-01-31T12:10:00Z')).toMatchObject({ cancellation: bySystem })
  })

  test("in test mode, a cancellation before the system's own cancellation keeps its reason", () => {
    const cancellation = { at: '2025-01-31T10:15:00.000Z', reason: '1' } as const
    const expected = { payments: 2, endsAt: '2025-01-31T10:20:00Z', cancellation: { reason: '1' } }
    expect(standing({ ...test130, cancellation }, '2025-02-28T10:00:00Z')).toMatchObject(expected)
  })
})

test.each([
  ['2025-01-31T10:00:00Z', { payments: 1, tieredPayments: 1, plan: 'T', price: 1 }],
  ['2025-02-28T10:00:00Z', { payments: 2, tieredPayments: 2, plan: 'T', price: 1 }],
  ['2025-03-31T10:00:00Z', { payments: 3, tieredPayments: 2, plan: 'R', price: 5 }],
])('with two tiered payments, the first two payments have the lower price: at %s', (at, expected) => {
  expect(standing({ tiers: { price: 1, payments: 2 } }, at)).toMatchObject(expected)
})

test('without tiers every payment has the regular price', () => {
  expect(standing({}, '2025-01-31T10:00:00Z')).toMatchObject({ tieredPayments: 0, plan: 'R', price: 5 })
})

test('a purchase is in its initial state at a time before the purchase', () => {
  expect(standing({}, '2020-01-01T00:00:00Z')).toMatchObject({ payments: 1, endsAt: '2025-02-28T10:00:00Z' })
})
