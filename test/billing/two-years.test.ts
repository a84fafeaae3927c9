import { expect, test } from 'vitest'
import type { Purchase } from '../../src/schemas/billing/purchase.ts'
import { SECRET, startBilling } from '../helpers/soap.ts'

const purchase: Purchase = {
  purchaseID: 'two-years',
  sellerSecret: SECRET,
  itemID: 'premium-monthly',
  period: 'P1M',
  price: 4.99,
  currency: 'USD',
  country: 'USA',
  freeTrial: 'P1M',
  tiers: { price: 0.99, payments: 3 },
  realMode: 'Y',
  purchasedAt: '2024-01-31T22:30:15.000Z',
  orderSeed: 'seed-two-years',
}

/** Written down, not computed: from, to, plan, payments, payments of the low tier, order id (HMAC of the seed). */
const periods = [
  ['2024-01-31', '2024-02-29', 'F', 0, 0, 'I17R3TTYFCJZMJTNVHQ'],
  ['2024-02-29', '2024-03-31', 'T', 1, 1, 'YCDH81KSO53A9H1WBY5'],
  ['2024-03-31', '2024-04-30', 'T', 2, 2, 'GF50RVCR3NP4TLR7H4M'],
  ['2024-04-30', '2024-05-31', 'T', 3, 3, 'JJGI9SF89USLHL4N16U'],
  ['2024-05-31', '2024-06-30', 'R', 4, 3, 'QW92MR5PV9SC30GYT0Q'],
  ['2024-06-30', '2024-07-31', 'R', 5, 3, 'YNUHAPB0LGCQGL1FF3A'],
  ['2024-07-31', '2024-08-31', 'R', 6, 3, 'PJPGLFX808I3P2PZFNY'],
  ['2024-08-31', '2024-09-30', 'R', 7, 3, '7AFPYXZD4QPO5G8MUZ8'],
  ['2024-09-30', '2024-10-31', 'R', 8, 3, 'JALD499TL86X5IT63GJ'],
  ['2024-10-31', '2024-11-30', 'R', 9, 3, 'CVMKW97U1RNE840GYTB'],
  ['2024-11-30', '2024-12-31', 'R', 10, 3, 'AAA36RCNP6GX3HOGEA4'],
  ['2024-12-31', '2025-01-31', 'R', 11, 3, 'PZG57CQFU1GTI65JLU7'],
  ['2025-01-31', '2025-02-28', 'R', 12, 3, 'WOLJZSN2114S0EQJU2Y'],
  ['2025-02-28', '2025-03-31', 'R', 13, 3, '607OCGLNCAJW89XFL1K'],
  ['2025-03-31', '2025-04-30', 'R', 14, 3, 'HMYIZJNFVCI1SL7MWU2'],
  ['2025-04-30', '2025-05-31', 'R', 15, 3, '9QNMN25WID8ZI35ED76'],
  ['2025-05-31', '2025-06-30', 'R', 16, 3, '5XSVS2ZJ719QNMWH9TF'],
  ['2025-06-30', '2025-07-31', 'R', 17, 3, 'QKPKQ0IT34ZS0DMTZKJ'],
  ['2025-07-31', '2025-08-31', 'R', 18, 3, 'DRHE1IA1MMEUIBV0V1H'],
  ['2025-08-31', '2025-09-30', 'R', 19, 3, '8985A3OS2ZDG0IH5Q1H'],
  ['2025-09-30', '2025-10-31', 'R', 20, 3, '6J2M74CDCPVTS9LZ3GL'],
  ['2025-10-31', '2025-11-30', 'R', 21, 3, 'E1KQ1M1XOOAA3BHWGMJ'],
  ['2025-11-30', '2025-12-31', 'R', 22, 3, 'ZADSIQNEVE4GH22DOSB'],
  ['2025-12-31', '2026-01-31', 'R', 23, 3, 'NIJWD84HVOB4C5M1NNX'],
  ['2026-01-31', '2026-02-28', 'R', 24, 3, '8JNWMD2H7VLPI5RSI2S'],
] as const

const prices = { F: '0.000', T: '0.990', R: '4.990' }

test('two years of a subscription are what the table says, second by second at each turn', async () => {
  const server = await startBilling({ startsAt: purchase.purchasedAt })
  await server.store.transaction((tx) => tx.purchases.put(purchase))
  for (const [from, to, plan, payments, tiered, orderId] of periods) {
    const expected = {
      subscriptionPurchaseDate: '2024-01-31 22:30:15',
      subscriptionEndDate: `${to} 22:30:15`,
      subscriptionType: 'Item_Type_Auto_Recurring_Subscription',
      subscriptionStatus: 'ACTIVE',
      subscriptionFirstPurchaseID: 'two-years',
      countryCode: 'USA',
      localCurrencyCode: 'USD',
      localPrice: prices[plan],
      supplyPrice: prices[plan],
      itemID: 'premium-monthly',
      freeTrial: plan === 'F' ? 'Y' : 'N',
      realMode: 'Y',
      latestOrderId: orderId,
      totalNumberOfTieredPayment: String(tiered),
      currentPaymentPlan: plan,
      totalNumberOfRenewalPayment: String(payments),
      subscriptionFirstPaymentDate: '2024-01-31 22:30:15',
    }
    server.clock.set(`${from}T22:30:15.000Z`)
    expect(await server.getSubscriptionStatus('two-years')).toEqual(expected)
    server.clock.set(`${to}T22:30:14.999Z`)
    expect(await server.getSubscriptionStatus('two-years')).toEqual(expected)
  }
})
