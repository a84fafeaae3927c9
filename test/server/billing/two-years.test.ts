import { expect, test } from 'vitest'
import type { Purchase } from '../../../src/contract/records/billing/purchase.ts'
import { SECRET, startBilling } from '../../helpers/documents/soap.ts'

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

/**
 * Expected values, written out as constants: start, end, plan, payments, payments in the low tier, and order ID
 * (SHA-256 of seed, purchase and number).
 */
const periods = [
  ['2024-01-31', '2024-02-29', 'F', 0, 0, 'MLH2Z9GYK11JROOLOL5'],
  ['2024-02-29', '2024-03-31', 'T', 1, 1, 'XBVBL5ZVUNHSP0JLHHJ'],
  ['2024-03-31', '2024-04-30', 'T', 2, 2, 'J5Q57QTLTN9YKB1QRZN'],
  ['2024-04-30', '2024-05-31', 'T', 3, 3, 'FKM20QHG3WADKQYLHQ7'],
  ['2024-05-31', '2024-06-30', 'R', 4, 3, 'TS0GVL8LG2NKHN0DDDT'],
  ['2024-06-30', '2024-07-31', 'R', 5, 3, 'UR9OZL6YPCGA2SE36ZM'],
  ['2024-07-31', '2024-08-31', 'R', 6, 3, 'SDBPD9EIOU39WHS3FNT'],
  ['2024-08-31', '2024-09-30', 'R', 7, 3, 'MCM7I9ZNAWEVOGVP0TB'],
  ['2024-09-30', '2024-10-31', 'R', 8, 3, 'OKN0YIKTNOZ75ZBKRJE'],
  ['2024-10-31', '2024-11-30', 'R', 9, 3, 'SB1UYQ1MFUISKM2KOJ5'],
  ['2024-11-30', '2024-12-31', 'R', 10, 3, 'NLZCP1Z201R83F7UCR9'],
  ['2024-12-31', '2025-01-31', 'R', 11, 3, '7NJKAVU5PDVOUW4BHVD'],
  ['2025-01-31', '2025-02-28', 'R', 12, 3, 'GTW2I4RUTKTWQ8H9X8A'],
  ['2025-02-28', '2025-03-31', 'R', 13, 3, 'TI6YLTR3J3Q5JXJO7AO'],
  ['2025-03-31', '2025-04-30', 'R', 14, 3, 'V6W3Z2YEYEUYQDV0Z1E'],
  ['2025-04-30', '2025-05-31', 'R', 15, 3, 'O3OT8K34VPYTL8YXAT6'],
  ['2025-05-31', '2025-06-30', 'R', 16, 3, '0J3DIOS17FXXKIC4XVQ'],
  ['2025-06-30', '2025-07-31', 'R', 17, 3, 'ALADFQGQPQNFIADRD5U'],
  ['2025-07-31', '2025-08-31', 'R', 18, 3, '1OUWLY289DSKYW1REVG'],
  ['2025-08-31', '2025-09-30', 'R', 19, 3, '5WTI53YH2KBHTLJGEBG'],
  ['2025-09-30', '2025-10-31', 'R', 20, 3, '32365UTAT4UJ150CEEN'],
  ['2025-10-31', '2025-11-30', 'R', 21, 3, 'DZT1RLL8FPGAEOLQ2RT'],
  ['2025-11-30', '2025-12-31', 'R', 22, 3, '98PTW73S352DI565PYK'],
  ['2025-12-31', '2026-01-31', 'R', 23, 3, 'T9A9ZZXJ5T971HAZ6JY'],
  ['2026-01-31', '2026-02-28', 'R', 24, 3, 'QLA7ST98YW5WWWI28Q4'],
] as const

const prices = { F: '0.000', T: '0.990', R: '4.990' }

test('the subscription status matches the table at both ends of each period for two years', async () => {
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
