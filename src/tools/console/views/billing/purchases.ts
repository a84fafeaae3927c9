import { toMinute } from '../../text.ts'
import type { Page, Payment, Purchase, Standing } from '../../types.ts'

export type Payments = Page<Payment> & Standing

/** Document 3, section 2 numbers these reasons. */
export const reasons = [
  ['1', '1, by the user'],
  ['2', '2, by the system'],
  ['3', '3, billing error'],
  ['4', '4, item not available'],
  ['5', '5, unknown error'],
] as const

const periods: Readonly<Record<string, string>> = { P1M: 'month', P1Y: 'year', P1W: 'week', P7D: 'week', P1D: 'day' }

export function toPeriod({ period, realMode }: Pick<Purchase, 'period' | 'realMode'>): string {
  return realMode === 'N' ? '10 minutes (a test)' : (periods[period] ?? period)
}

type Dated = Pick<Purchase, 'realMode'> & Pick<Standing, 'paidUntil' | 'nextPaymentAt' | 'cancellation'>

/** The end is told as precisely as the purchase renews. */
export function toStanding({ realMode, paidUntil, nextPaymentAt, cancellation }: Dated, now: number) {
  const day = realMode === 'N' ? toMinute(paidUntil) : toMinute(paidUntil).slice(0, 10)
  const hasEnded = nextPaymentAt === undefined && Date.parse(paidUntil) <= now
  const word = hasEnded ? 'ended' : nextPaymentAt === undefined ? 'ends' : 'next payment'
  return { state: hasEnded ? 'ended' : cancellation ? 'cancelled' : 'active', until: `${word} ${day}`, hasEnded }
}
