import type { FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { buildAppointmentApp, newTicketBody, slot } from '../../helpers/documents/appointments.ts'
import { listen } from '../../helpers/build-test-app.ts'
import { asTess } from '../../helpers/documents/dealer-portal.ts'
import { LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { asNed, buildInStoreApp, newInStoreBody } from '../../helpers/documents/in-store.ts'
import { call as soapCall, SECRET, startBilling } from '../../helpers/documents/soap.ts'
import { openStream, valueIn } from '../../helpers/documents/stream-reader.ts'

/** The operation is executed and stored once, but its response is never sent. */
async function loseAnswer(app: FastifyInstance, operation: number | string): Promise<void> {
  const payload = { match: { operation }, respond: { reset: true }, when: 'after', times: 1 }
  const reply = await app.inject({ method: 'POST', url: '/_control/faults', payload })
  expect(reply.statusCode).toBe(200)
}

function post(url: string, headers: Record<string, string>, body: object): Promise<Response> {
  const json = { 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify(body) })
}

test('repeating a ticket request after a lost response does not book another slot', async () => {
  const { app, store } = await buildAppointmentApp()
  const url = `${await listen(app)}/stg/us/dealer/customers/ticket`
  await loseAnswer(app, 8)
  const ask = () => post(url, asTess(), newTicketBody({ dealerReferenceNo: 'D-1' }))
  await expect(ask()).rejects.toThrow('fetch failed')
  const again = await ask()
  expect([again.status, await again.json()]).toMatchObject([400, { error: { code: 'ConflictError' } }])
  const { items } = (await app.inject({ url: '/stg/us/dealer/tickets', headers: asTess() })).json()
  expect(items).toMatchObject([{ dealerReferenceNo: 'D-1', status: 'E0001', appointment: { date: '2026-05-07' } }])
  expect(await store.bookings.count({ slotId: slot.timeSlot })).toBe(1)
})

test('repeating an in-store request after a lost response does not create another one', async () => {
  const { app, store, detail } = await buildInStoreApp()
  const url = `${await listen(app)}/stg/us/instore/create`
  await loseAnswer(app, 33)
  const ask = () => post(url, asNed(), newInStoreBody())
  await expect(ask()).rejects.toThrow('fetch failed')
  expect((await ask()).status).toBe(400)
  const { items, totalCount } = (await app.inject('/_control/outbox')).json()
  expect([totalCount, await store.inStoreRequests.count({ userId: 'profile:test-ned' })]).toEqual([1, 1])
  expect((await detail({ srid: items[0].srid })).json()).toMatchObject({ status: 'E0001' })
})

test('after a lost response, a client can request a new service token', async () => {
  const { app, store, send, createServiceToken } = await startBilling()
  const tokens = await store.serviceTokens.count()
  await loseAnswer(app, 'createServiceToken')
  await expect(createServiceToken()).rejects.toThrow('fetch failed')
  expect(await store.serviceTokens.count()).toBe(tokens + 1)
  const inputs = { purchaseID: 'purchase-active', serviceToken: await createServiceToken(SECRET) }
  const read = () => send(soapCall('getSubscriptionStatus', inputs))
  const before = await read()
  await loseAnswer(app, 'getSubscriptionStatus')
  await expect(read()).rejects.toThrow('fetch failed')
  expect(await read()).toEqual({ ...before, status: 200 })
})

test('a client that subscribes again after a lost response gets each event once', async () => {
  const { app, subscribe, emit, call } = await startEvents()
  await loseAnswer(app, 'createSubscription')
  await expect(subscribe()).rejects.toThrow('fetch failed')
  const { items } = (await app.inject('/_control/records/subscriptions')).json()
  expect(items).toHaveLength(1)
  expect((await call('GET', `/subscriptions/${items[0].subscriptionId}`)).status).toBe(200)
  const reader = await openStream((await subscribe()).registrationUrl)
  for (const value of ['on', 'off']) await emit(LIGHT, value)
  expect((await reader.take(3)).slice(1).map(valueIn)).toEqual(['on', 'off'])
})
