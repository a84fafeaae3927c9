import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { SECRET, startBilling } from '../../helpers/documents/soap.ts'

type App = ReturnType<typeof buildTestApp>['app']
const post = (app: App, path: string, payload: object) =>
  app.inject({ method: 'POST', url: `/_control/${path}`, payload })
const terms = { itemID: 'premium', period: 'P1M', price: 4.99, currency: 'USD', country: 'USA' }
const order = { sellerSecret: SECRET, purchaseID: 'mine', ...terms }

test('a purchase created by the control API can be read over SOAP and cancelled', async () => {
  const { app, clockControl, getSubscriptionStatus } = await startBilling()
  const reply = await post(app, 'purchases', { ...order, freeTrial: 'P7D', tiers: { price: 0.99, payments: 1 } })
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    expect.objectContaining({ purchaseID: 'mine', realMode: 'Y' }),
  ])
  expect(reply.json()).not.toHaveProperty('orderSeed')
  expect(await getSubscriptionStatus('mine')).toMatchObject({ subscriptionStatus: 'ACTIVE', freeTrial: 'Y' })

  await clockControl.advance(45 * 24 * 60 * 60 * 1000)
  const { items, totalCount, nextPaymentAt } = (await app.inject('/_control/purchases/mine/payments?limit=1')).json()
  expect([items, totalCount]).toEqual([[expect.objectContaining({ number: 1, plan: 'T', price: 0.99 })], 2])
  expect(nextPaymentAt).toEqual(expect.any(String))

  const cancelled = await post(app, 'purchases/mine/cancel', { reason: 3 })
  expect(cancelled.json()).toMatchObject({ cancellation: { reason: '3' } })
  expect(await getSubscriptionStatus('mine')).toMatchObject({
    subscriptionStatus: 'CANCEL',
    cancelSubscriptionReason: '3',
  })
  expect((await post(app, 'purchases/mine/cancel', { reason: '1' })).statusCode).toBe(409)
})

test('creating a purchase returns 409 if its purchaseID is in use', async () => {
  const { app } = buildTestApp()
  expect((await post(app, 'purchases', { ...order, purchaseID: 'purchase-active' })).statusCode).toBe(409)
  expect((await post(app, 'purchases', { ...order, sellerSecret: '1' })).statusCode).toBe(404)
  expect((await post(app, 'purchases/nothing/cancel', { reason: '1' })).statusCode).toBe(404)
  expect((await app.inject('/_control/purchases/nothing/payments')).statusCode).toBe(404)
  expect((await post(app, 'purchases/purchase-active/cancel', { reason: '6' })).statusCode).toBe(400)
  const reply = await post(app, 'purchases', { ...order, period: '1 month', price: -1, realMode: 'X' })
  const targets = reply.json().error.details.map(({ target }: { target: string }) => target)
  expect([reply.statusCode, targets]).toEqual([400, ['body.period', 'body.price', 'body.realMode']])
})
