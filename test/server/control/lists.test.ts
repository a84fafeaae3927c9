import { expect, test } from 'vitest'
import { collections } from '../../../src/contract/records/collections.ts'
import { asApp, buildTestApp } from '../../helpers/build-test-app.ts'

test('GET /_control/records lists every collection with its key field', async () => {
  const { app } = buildTestApp()
  const { items, totalCount } = (await app.inject('/_control/records')).json()
  const keys = Object.entries(collections).map(([name, { key }]) => [name, key])
  expect(items.map(({ name, key }: Record<string, string>) => [name, key])).toEqual(keys)
  expect(totalCount).toBe(keys.length)
  expect(items).toContainEqual({ name: 'sellers', key: 'secret', count: 2 })
})

test('GET /_control/purchases lists purchases with their payments and the next payment or cancellation', async () => {
  const { app } = buildTestApp()
  const cancel = { method: 'POST', url: '/_control/purchases/purchase-active/cancel', payload: { reason: 1 } } as const
  await app.inject(cancel)
  const { items, totalCount } = (await app.inject('/_control/purchases?limit=100')).json()
  expect(totalCount).toBe(items.length)
  const find = (id: string) => items.find(({ purchaseID }: { purchaseID: string }) => purchaseID === id)
  const active = find('purchase-tiered')
  expect(active).toMatchObject({ paidUntil: active.nextPaymentAt })
  const { totalCount: payments } = (await app.inject('/_control/purchases/purchase-tiered/payments')).json()
  expect(active.payments).toBe(payments)
  const cancelled = find('purchase-active')
  expect(cancelled).toMatchObject({ cancellation: { at: '2026-05-06T16:00:00.000Z', reason: '1' } })
  expect(Date.parse(cancelled.paidUntil)).toBeGreaterThan(Date.parse(cancelled.cancellation.at))
  expect(cancelled).not.toHaveProperty('nextPaymentAt')
  expect(cancelled).not.toHaveProperty('orderSeed')

  await app.inject({ method: 'POST', url: '/_control/clock/advance', payload: { duration: 'P1D' } })
  const later = (await app.inject('/_control/purchases/purchase-test-mode/payments')).json()
  expect(later).toMatchObject({ totalCount: 13, cancellation: { at: later.paidUntil, reason: '2' } })
})

test('the slots of a service center are listed with their bookings', async () => {
  const { app } = buildTestApp()
  const booked = await app.inject({
    method: 'POST',
    url: '/stg/us/instore/create',
    headers: asApp('splus-carol'),
    payload: {
      ascType: 'WALKIN',
      ascCode: 'ASC001',
      appointmentDate: '2026-05-08',
      startTime: '10:30',
      symptoms: ['IS10'],
      modelCode: 'VM-S100',
      firstName: 'Carol',
      lastName: 'Baker',
      email: 'carol@example.com',
      zipCode: '07660',
    },
  })
  const { dates, items } = (await app.inject('/_control/service-centers/ASC001/slots?days=3')).json()
  expect(dates).toEqual(['2026-05-06', '2026-05-07', '2026-05-08'])
  expect(items).toContainEqual({
    slotId: 'ASC001-WI-20260508-1030',
    kind: 'WI',
    date: '2026-05-08',
    startTime: '10:30',
    endTime: expect.any(String),
    capacity: 10,
    bookings: [{ appointmentId: expect.any(String), srid: booked.json().srid }],
  })
  expect((await app.inject('/_control/service-centers/none/slots')).statusCode).toBe(404)
  expect((await app.inject('/_control/service-centers/ASC001/slots?days=32')).statusCode).toBe(400)
})

test('an unknown filter returns 400 with one message that lists the known filters', async () => {
  const { app } = buildTestApp()
  const refuse = async (query: string) => {
    const reply = await app.inject(`/_control/records/accessTokens?${query}`)
    return [reply.statusCode, reply.json().error.message]
  }
  const there = 'Known filters: tokenDigest, user'
  expect(await refuse('x=1')).toEqual([400, `query.x is not a filter of accessTokens. ${there}`])
  expect(await refuse('usr=1')).toEqual([
    400,
    `query.usr is not a filter of accessTokens; the nearest is user. ${there}`,
  ])
})
