export interface Purchase {
  purchaseID: string
  sellerSecret: string
  itemID: string
  period: string
  price: number
  currency: string
  country: string
  freeTrial?: string
  tiers?: { price: number; payments: number }
  realMode: 'Y' | 'N'
  purchasedAt: string
  cancellation?: { at: string; reason: string }
}

export interface Payment {
  number: number
  at: string
  orderId: string
  plan: 'T' | 'R'
  price: number
}

export interface Payments {
  /** The newest first. */
  items: Payment[]
  totalCount: number
  nextPaymentAt?: string
}

/** Document 3, section 2. */
export const reasons = [
  ['1', '1, by the user'],
  ['2', '2, by the system'],
  ['3', '3, billing error'],
  ['4', '4, item not available'],
  ['5', '5, unknown error'],
] as const

/** Document 3: a test purchase renews every 10 minutes, 12 times, and is then cancelled by the system. */
const TEST_LENGTH = 130 * 60_000

/** Whether it renews no more, and why: the reason's number. */
export function findEnd({ cancellation, realMode, purchasedAt }: Purchase, now: number): Purchase['cancellation'] {
  if (cancellation) return cancellation
  const end = Date.parse(purchasedAt) + TEST_LENGTH
  return realMode === 'N' && now >= end ? { at: new Date(end).toISOString(), reason: '2' } : undefined
}

const periods: Readonly<Record<string, string>> = { P1M: 'month', P1Y: 'year', P1W: 'week', P7D: 'week', P1D: 'day' }

export function toPeriod({ period, realMode }: Pick<Purchase, 'period' | 'realMode'>): string {
  return realMode === 'N' ? '10 minutes (a test)' : (periods[period] ?? period)
}
