import { expect, test } from 'vitest'
import {
  cancelPurchase,
  createPurchase,
  listPayments,
  listPurchases,
} from '../../../../src/server/domain/billing/purchases.ts'
import { purchaseOrder } from '../../../../src/contract/records/billing/purchase.ts'
import { buildTestPorts } from '../../../helpers/test-ports.ts'

const MINUTE = 60 * 1000
const page100 = { offset: 0, limit: 100 }
const monthly = purchaseOrder.parse({
  sellerSecret: '123456789012',
  itemID: 'premium-monthly',
  period: 'P1M',
  price: 5,
  currency: 'USD',
  country: 'USA',
})

test("a purchase starts at the world's current time and gets a generated ID by default", async () => {
  const ports = buildTestPorts({ startsAt: '2025-01-31T10:00:00Z' })
  const own = await createPurchase(ports, monthly)
  const given = await createPurchase(ports, { ...monthly, purchaseID: 'mine' })
  expect(own).toMatchObject({ purchasedAt: '2025-01-31T10:00:00.000Z', realMode: 'Y' })
  expect(own.purchaseID).toMatch(/^P-\w{16}$/)
  expect(await ports.store.purchases.get('mine')).toEqual(given)
  expect(own.orderSeed).not.toBe(given.orderSeed)
})

test('creating a purchase with a purchaseID in use or for an unknown seller is rejected', async () => {
  const ports = buildTestPorts()
  const taken = createPurchase(ports, { ...monthly, purchaseID: 'purchase-active' })
  await expect(taken).rejects.toMatchObject({ code: 'conflict' })
  await expect(createPurchase(ports, { ...monthly, sellerSecret: '7' })).rejects.toMatchObject({ code: 'not-found' })
})

test('a purchase can continue only a purchase of the same seller', async () => {
  const ports = buildTestPorts()
  const theirs = await createPurchase(ports, { ...monthly, sellerSecret: '000000000042' })
  const own = await createPurchase(ports, monthly)
  const next = { ...monthly, continues: own.purchaseID }
  expect(await createPurchase(ports, next)).toMatchObject({ continues: own.purchaseID })
  for (const continues of [theirs.purchaseID, 'nobody']) {
    const refused = createPurchase(ports, { ...next, continues })
    const message = expect.stringMatching(`^purchase ${continues} does not exist; (?!.*${theirs.purchaseID})`)
    await expect(refused).rejects.toMatchObject({ code: 'not-found', message })
  }
})

test('purchases are listed in pages with their cancellation and paid period', async () => {
  const ports = buildTestPorts()
  const { items, totalCount } = await listPurchases(ports, page100)
  expect(items).toHaveLength(totalCount)
  const cancelled = items.find(({ purchaseID }) => purchaseID === 'purchase-cancelled')!
  const stored = (await ports.store.purchases.get('purchase-cancelled'))!
  expect(cancelled.cancellation).toEqual(stored.cancellation)
  expect(cancelled.paidUntil > stored.cancellation!.at).toBe(true)
  expect(items.find(({ purchaseID }) => purchaseID === 'purchase-active')?.cancellation).toBeUndefined()
  const page = await listPurchases(ports, { offset: 1, limit: 1 })
  expect(page).toEqual({ items: [items[1]], totalCount })
})

test('a purchase is listed without its cancellation when the clock is before the cancellation', async () => {
  const ports = buildTestPorts()
  const { cancellation } = (await ports.store.purchases.get('purchase-cancelled'))!
  const list = async () => (await listPurchases(ports, page100)).items.map((each) => each.cancellation)
  ports.clock.set(cancellation!.at)
  expect(await list()).toContainEqual(cancellation)
  ports.clock.advance(-1)
  expect(await list()).not.toContainEqual(cancellation)
})

test('cancelling a purchase is rejected if a request or the system has cancelled it', async () => {
  const ports = buildTestPorts()
  const cancelled = await cancelPurchase(ports, 'purchase-active', '5')
  expect(cancelled.cancellation).toEqual({ at: new Date(ports.clock.now()).toISOString(), reason: '5' })
  await expect(cancelPurchase(ports, 'purchase-active', '1')).rejects.toMatchObject({ code: 'conflict' })
  await expect(cancelPurchase(ports, 'nobody', '1')).rejects.toMatchObject({ code: 'not-found' })
  await createPurchase(ports, { ...monthly, purchaseID: 'test', realMode: 'N' })
  ports.clock.advance(130 * MINUTE)
  await expect(cancelPurchase(ports, 'test', '1')).rejects.toMatchObject({ code: 'conflict' })
})

test('payments are listed in pages, with the date of the next payment', async () => {
  const ports = buildTestPorts({ startsAt: '2025-01-31T10:00:00Z' })
  const order = { ...monthly, purchaseID: 'mine', freeTrial: 'P7D', tiers: { price: 1, payments: 2 } }
  await createPurchase(ports, order)
  expect(await listPayments(ports, 'mine', page100)).toEqual({
    items: [],
    totalCount: 0,
    nextPaymentAt: '2025-02-07T10:00:00.000Z',
    paidUntil: '2025-02-07T10:00:00.000Z',
  })
  ports.clock.set('2025-04-30T00:00:00Z')
  const page = await listPayments(ports, 'mine', { offset: 1, limit: 2 })
  expect(page).toMatchObject({
    items: [
      { number: 2, at: '2025-03-07T10:00:00.000Z', plan: 'T', price: 1 },
      { number: 3, at: '2025-04-07T10:00:00.000Z', plan: 'R', price: 5 },
    ],
    totalCount: 3,
    nextPaymentAt: '2025-05-07T10:00:00.000Z',
  })
  expect(new Set(page.items.map(({ orderId }) => orderId)).size).toBe(2)
  expect((await listPayments(ports, 'mine', { offset: 2, limit: 9 })).items).toHaveLength(1)
  await expect(listPayments(ports, 'nobody', page100)).rejects.toMatchObject({ code: 'not-found' })
})

test('no further payment is listed after a cancellation or the last renewal in test mode', async () => {
  const ports = buildTestPorts()
  expect(await listPayments(ports, 'purchase-cancelled', page100)).not.toHaveProperty('nextPaymentAt')
  await createPurchase(ports, { ...monthly, purchaseID: 'test', realMode: 'N' })
  ports.clock.advance(119 * MINUTE)
  expect(await listPayments(ports, 'test', page100)).toMatchObject({
    totalCount: 12,
    nextPaymentAt: expect.any(String),
  })
  ports.clock.advance(MINUTE)
  const last = await listPayments(ports, 'test', page100)
  expect(last.totalCount).toBe(13)
  expect(last).not.toHaveProperty('nextPaymentAt')
})
