import { describe, expect, test } from 'vitest'
import { writeSchema } from '../../../src/server/billing/wsdl.ts'
import { subscriptionStatus } from '../../../src/contract/records/billing/subscription-status.ts'
import { call, NAMESPACE, OTHER_SECRET, SECRET, startBilling } from '../../helpers/documents/soap.ts'
import { findXmlErrors } from '../../helpers/documents/xml.ts'

const GMT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/**
 * Returns one response of every kind. This is the element in the SOAP body, or the element in the detail of a fault.
 */
async function collectReplies(): Promise<string[]> {
  const server = await startBilling()
  const purchases = await server.store.purchases.find()
  const replies = [await server.send(call('createServiceToken', { secret: SECRET }))]
  for (const { purchaseID, sellerSecret } of purchases) {
    const serviceToken = await server.createServiceToken(sellerSecret)
    replies.push(await server.send(call('getSubscriptionStatus', { purchaseID, serviceToken })))
  }
  for (const secret of ['', 'x', '7']) replies.push(await server.send(call('createServiceToken', { secret })))
  return replies.map(({ text }) => /<ns2:(\w+) [\s\S]*<\/ns2:\1>/.exec(text)?.[0] ?? text)
}

describe('every response matches the served schema', () => {
  test('every response matches the served schema in names, order and types, according to libxml2', async () => {
    const server = await startBilling()
    const schema = await (await fetch(`${server.address}?xsd=1`)).text()
    const replies = await collectReplies()
    expect(replies.length).toBeGreaterThan(10)
    expect(replies.flatMap((element) => findXmlErrors(element, schema))).toEqual([])
  })

  test('the schema rejects elements in the wrong order, missing elements, additional elements and wrong types', () => {
    const schema = writeSchema(NAMESPACE)
    const fault = (children: string) =>
      `<n:WebServiceException xmlns:n="${NAMESPACE}">${children}</n:WebServiceException>`
    const [code, message] = ['<errorCode>10</errorCode>', '<errorMessage>x</errorMessage>']
    expect(findXmlErrors(fault(code + message), schema)).toEqual([])
    expect(findXmlErrors(fault(message + code), schema)).not.toEqual([])
    expect(findXmlErrors(fault(message), schema)).not.toEqual([])
    expect(findXmlErrors(fault(`${code + message}<more/>`), schema)).not.toEqual([])
    expect(findXmlErrors(fault('<errorCode>ten</errorCode>'), schema)).not.toEqual([])
  })
})

describe('the fixtures have every kind of subscription', () => {
  const status = async (purchaseID: string, secret = SECRET) =>
    (await startBilling()).getSubscriptionStatus(purchaseID, secret)

  test.each([
    [
      'purchase-active',
      SECRET,
      { subscriptionStatus: 'ACTIVE', currentPaymentPlan: 'R', freeTrial: 'N', localPrice: '4.990' },
    ],
    [
      'purchase-trial',
      SECRET,
      { subscriptionStatus: 'ACTIVE', currentPaymentPlan: 'F', freeTrial: 'Y', localPrice: '0.000' },
    ],
    ['purchase-trial', SECRET, { totalNumberOfRenewalPayment: '0', totalNumberOfTieredPayment: '0', realMode: 'Y' }],
    ['purchase-tiered', SECRET, { currentPaymentPlan: 'T', totalNumberOfTieredPayment: '2', localPrice: '1.188' }],
    ['purchase-test-mode', SECRET, { realMode: 'N', totalNumberOfRenewalPayment: '3', subscriptionStatus: 'ACTIVE' }],
    ['purchase-cancelled', SECRET, { subscriptionStatus: 'CANCEL', cancelSubscriptionReason: '1' }],
    ['purchase-lapsed', SECRET, { subscriptionStatus: 'CANCEL', cancelSubscriptionReason: '3' }],
    ['purchase-other', OTHER_SECRET, { subscriptionStatus: 'ACTIVE', totalNumberOfRenewalPayment: '2' }],
  ])('the fixture %s has the expected subscription status (%#)', async (purchaseID, secret, expected) => {
    expect(await status(purchaseID, secret)).toMatchObject(expected)
  })

  test('a cancelled subscription has an end date after its cancellation date', async () => {
    const fields = await status('purchase-cancelled')
    expect([fields.cancelSubscriptionDate, fields.subscriptionEndDate]).toEqual([
      '2026-05-03 16:00:00',
      '2026-05-26 16:00:00',
    ])
  })

  test('cancelSubscriptionDate and its reason follow latestOrderId if the subscription is cancelled', async () => {
    const all = Object.keys(subscriptionStatus.shape)
    expect(Object.keys(await status('purchase-cancelled'))).toEqual(all)
    expect(Object.keys(await status('purchase-active'))).toEqual(all.filter((name) => !name.startsWith('cancel')))
  })

  test('every field of a subscription status has the documented format', async () => {
    const server = await startBilling()
    for (const { purchaseID, sellerSecret } of await server.store.purchases.find()) {
      const fields = await server.getSubscriptionStatus(purchaseID, sellerSecret)
      const { localPrice, supplyPrice, ...texts } = fields
      const price = expect.stringMatching(/^\d+\.\d{3}$/)
      expect([localPrice, supplyPrice]).toEqual([price, price])
      const problems = subscriptionStatus.safeParse({ ...texts, localPrice: 0, supplyPrice: 0 })
      expect(problems.error?.issues ?? []).toEqual([])
      expect(fields.subscriptionEndDate).toMatch(GMT)
    }
  })
})

test('localPrice and supplyPrice include tax, unless the purchase sets supplyPrice', async () => {
  const server = await startBilling()
  const prices = async (purchaseID: string) => {
    const { localPrice, supplyPrice } = await server.getSubscriptionStatus(purchaseID)
    return [localPrice, supplyPrice]
  }
  expect(await prices('purchase-active')).toEqual(['4.990', '4.990'])
  expect(await prices('purchase-tiered')).toEqual(['1.188', '1.188'])
  expect(await prices('purchase-lapsed')).toEqual(['1650.000', '1650.000'])
  const order = { sellerSecret: SECRET, itemID: 'i', period: 'P1M', price: 10, currency: 'EUR', country: 'DEU' }
  const sell = (payload: object) => server.app.inject({ method: 'POST', url: '/_control/purchases', payload })
  const sold = await sell({ ...order, purchaseID: 'taxed', taxRate: 0.19 })
  expect(sold.json()).toMatchObject({ taxRate: 0.19 })
  expect(await prices('taxed')).toEqual(['11.900', '11.900'])
  await sell({ ...order, purchaseID: 'listed', taxRate: 0.19, supplyPrice: 12 })
  expect(await prices('listed')).toEqual(['11.900', '12.000'])
  // The exact results end in half a cent. In binary, these prices are slightly too low to be rounded up.
  await sell({ ...order, purchaseID: 'half', price: 4.6, taxRate: 0.0825 })
  expect(await prices('half')).toEqual(['4.980', '4.980'])
  await sell({ ...order, purchaseID: 'fine', price: 1.0005 })
  expect(await prices('fine')).toEqual(['1.001', '1.001'])
})

test('a purchase that continues others has the ID and payment date of the first purchase', async () => {
  const server = await startBilling()
  const sell = (payload: object) => {
    const order = { sellerSecret: SECRET, itemID: 'i', period: 'P1M', price: 10, currency: 'EUR', country: 'DEU' }
    return server.app.inject({ method: 'POST', url: '/_control/purchases', payload: { ...order, ...payload } })
  }
  await sell({ purchaseID: 'third', continues: 'purchase-resumed' })
  const [first, third] = [
    await server.getSubscriptionStatus('purchase-lapsed'),
    await server.getSubscriptionStatus('third'),
  ]
  expect(third).toMatchObject({
    subscriptionFirstPurchaseID: 'purchase-lapsed',
    subscriptionFirstPaymentDate: first['subscriptionPurchaseDate'],
    subscriptionPurchaseDate: '2026-05-06 16:00:00',
  })
  for (const continues of ['nobody', 'purchase-other']) {
    expect((await sell({ continues })).statusCode).toBe(404)
  }
})

test('getSubscriptionStatus succeeds for purchases that continue each other in a cycle', async () => {
  const server = await startBilling()
  await server.store.transaction(async (tx) => {
    for (const [own, other] of [
      ['purchase-active', 'purchase-tiered'],
      ['purchase-tiered', 'purchase-active'],
    ] as const) {
      const purchase = await tx.purchases.get(own)
      await tx.purchases.put({ ...purchase!, continues: other })
    }
  })
  expect(await server.getSubscriptionStatus('purchase-active')).toMatchObject({ subscriptionStatus: 'ACTIVE' })
})

test('a cancelled trial has the regular payment plan after the trial ends', async () => {
  const server = await startBilling()
  const url = '/_control/purchases/purchase-trial/cancel'
  await server.app.inject({ method: 'POST', url, payload: { reason: '1' } })
  expect(await server.getSubscriptionStatus('purchase-trial')).toMatchObject({
    freeTrial: 'Y',
    currentPaymentPlan: 'F',
  })
  server.clock.set('2026-06-20T00:00:00.000Z')
  expect(await server.getSubscriptionStatus('purchase-trial')).toMatchObject({
    subscriptionStatus: 'CANCEL',
    currentPaymentPlan: 'R',
    freeTrial: 'N',
    totalNumberOfRenewalPayment: '0',
  })
})

describe('a status that was requested before', () => {
  const terms = { sellerSecret: SECRET, itemID: 'i', period: 'P1M', price: 10, currency: 'EUR', country: 'DEU' }

  test('the status reflects later changes of the purchase and of its first purchase', async () => {
    const server = await startBilling()
    const put = async (purchaseID: string, changes: object) => {
      const record = { ...(await server.store.purchases.get(purchaseID)), ...changes }
      const url = `/_control/records/purchases/${purchaseID}`
      expect((await server.app.inject({ method: 'PUT', url, payload: record })).statusCode).toBe(200)
    }
    const before = await server.getSubscriptionStatus('purchase-resumed')
    await put('purchase-resumed', { price: 1 })
    await put('purchase-lapsed', { purchasedAt: '2020-01-02T03:04:05.000Z' })
    expect(await server.getSubscriptionStatus('purchase-resumed')).toEqual({
      ...before,
      localPrice: '1.100',
      supplyPrice: '1.100',
      subscriptionFirstPaymentDate: '2020-01-02 03:04:05',
    })
  })

  test('a status that was requested before follows the clock forward, back, and past a cancellation', async () => {
    const server = await startBilling()
    await server.app.inject({ method: 'POST', url: '/_control/purchases', payload: { ...terms, purchaseID: 'mine' } })
    const start = server.clock.now()
    const statusAt = async (days: number) => {
      await server.clockControl.set({ now: start + days * 24 * 60 * 60 * 1000 })
      const { totalNumberOfRenewalPayment, subscriptionStatus: status } = await server.getSubscriptionStatus('mine')
      return [totalNumberOfRenewalPayment, status]
    }
    const first = await server.getSubscriptionStatus('mine')
    expect(await statusAt(45)).toEqual(['2', 'ACTIVE'])
    await server.app.inject({ method: 'POST', url: '/_control/purchases/mine/cancel', payload: { reason: '1' } })
    expect(await statusAt(45)).toEqual(['2', 'CANCEL'])
    expect(await statusAt(40)).toEqual(['2', 'ACTIVE'])
    expect(await statusAt(45)).toEqual(['2', 'CANCEL'])
    await server.clockControl.set({ now: start })
    expect(await server.getSubscriptionStatus('mine')).toEqual(first)
  })
})
