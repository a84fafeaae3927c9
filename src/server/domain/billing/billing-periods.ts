import { type Duration, requireDuration } from '#contract/records/duration.ts'
import type { CancelReason, Purchase } from '#contract/records/billing/purchase.ts'
import { addDuration } from '../time.ts'

/** Document 3, section 2. F: free trial, T: tiered price, R: regular price. */
export type PaymentPlan = 'F' | 'T' | 'R'

/** All timestamps in this interface are milliseconds since the epoch. */
export interface BillingState {
  /** Number of periods before the current one, including a free trial. This is also the number of the latest order. */
  period: number
  endsAt: number
  payments: number
  tieredPayments: number
  /** After a trial, the plan is R (regular price), even if the trial was cancelled. */
  plan: PaymentPlan
  price: number
  cancellation: { at: number; reason: CancelReason } | undefined
}

/** Test purchases renew every 10 minutes, 12 times. A free trial is the first of the 13 periods. */
const TEST_PERIOD: Duration = { months: 0, milliseconds: 10 * 60 * 1000 }
const TEST_PERIODS = 13
const AVERAGE_MONTH = (365.2425 / 12) * 24 * 60 * 60 * 1000

export function toBillingState(purchase: Purchase, now: number): BillingState {
  const calendar = toCalendar(purchase)
  const endsBySystem = calendar.periods === undefined ? Infinity : startOf(calendar, calendar.periods)
  const cancellation = findCancellation(purchase, endsBySystem, now)
  const period = Math.min(periodAt(calendar, cancellation?.at ?? now), (calendar.periods ?? Infinity) - 1)
  const payments = purchase.freeTrial ? period : period + 1
  const endsAt = startOf(calendar, period + 1)
  const unpaid = now < endsAt ? 'F' : 'R'
  return {
    period,
    endsAt,
    payments,
    tieredPayments: Math.min(payments, purchase.tiers?.payments ?? 0),
    plan: payments === 0 ? unpaid : isTiered(purchase, payments) ? 'T' : 'R',
    price: priceOf(purchase, payments),
    cancellation,
  }
}

export function paymentDate(purchase: Purchase, number: number): number {
  return startOf(toCalendar(purchase), orderOf(purchase, number))
}

/** Payments are numbered from 1. Order 0 is the purchase itself, even with a free trial. */
export function orderOf(purchase: Purchase, number: number): number {
  return purchase.freeTrial ? number : number - 1
}

export function priceOf(purchase: Purchase, payment: number): number {
  if (payment === 0) return 0
  return purchase.tiers && isTiered(purchase, payment) ? purchase.tiers.price : purchase.price
}

export function isTiered({ tiers }: Purchase, payment: number): boolean {
  return payment <= (tiers?.payments ?? 0)
}

interface Calendar {
  purchasedAt: number
  /** The first paid period starts `months` months after the timestamp `anchor`. */
  anchor: number
  months: number
  hasTrial: boolean
  period: Duration
  periods: number | undefined
}

function toCalendar(purchase: Purchase): Calendar {
  const purchasedAt = Date.parse(purchase.purchasedAt)
  const isTest = purchase.realMode === 'N'
  const period = isTest ? TEST_PERIOD : requireDuration(purchase.period)
  const trial = purchase.freeTrial && (isTest ? TEST_PERIOD : requireDuration(purchase.freeTrial))
  // After a trial of whole months, the day of the month is that of the purchase, otherwise that of the trial's end.
  const isWholeMonths = trial ? trial.milliseconds === 0 : true
  return {
    purchasedAt,
    anchor: trial && !isWholeMonths ? addDuration(purchasedAt, trial) : purchasedAt,
    months: trial && isWholeMonths ? trial.months : 0,
    hasTrial: trial !== undefined,
    period,
    periods: isTest ? TEST_PERIODS : undefined,
  }
}

/** Counted from the anchor, so that 31 January is followed by 28 February and then 31 March. */
function startOf({ purchasedAt, anchor, months, hasTrial, period }: Calendar, number: number): number {
  if (hasTrial && number === 0) return purchasedAt
  const paid = hasTrial ? number - 1 : number
  return addDuration(anchor, { months: months + paid * period.months, milliseconds: paid * period.milliseconds })
}

/** Timestamps before the purchase belong to the first period. */
function periodAt(calendar: Calendar, at: number): number {
  const { months, milliseconds } = calendar.period
  const average = months * AVERAGE_MONTH + milliseconds
  let number = Math.max(0, Math.floor((at - startOf(calendar, 1)) / average) + 1)
  while (number > 0 && startOf(calendar, number) > at) number--
  while (startOf(calendar, number + 1) <= at) number++
  return number
}

/** Returns the cancellation if it has taken effect at `now` (document 3, section 3). */
function findCancellation({ cancellation }: Purchase, endsBySystem: number, now: number): BillingState['cancellation'] {
  const at = cancellation ? Date.parse(cancellation.at) : Infinity
  // If the cancellation is in the future, the clock was set back after the cancellation.
  if (cancellation && at < endsBySystem) return at <= now ? { at, reason: cancellation.reason } : undefined
  return endsBySystem <= now ? { at: endsBySystem, reason: '2' } : undefined
}
