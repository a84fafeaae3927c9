import { expect, test } from 'vitest'
import { newInStoreRequest } from '../../../helpers/documents/appointments.ts'
import { asErin, asWeb, buildTestApp } from '../../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']
const move = async (app: App, srid: string, step: string) =>
  app.inject({ method: 'POST', url: `/_control/tickets/${srid}/${step}` })

/** A ticket of the fixtures that is not confirmed yet. */
const OPEN = '4100000017'

test('a dealer ticket can be confirmed and completed, and its dealer sees the new status', async () => {
  const { app } = buildTestApp()
  const reply = await move(app, OPEN, 'confirm')
  expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ srid: OPEN, status: 'E0002' })])
  expect((await move(app, OPEN, 'complete')).json()).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED' })
  const seen = await app.inject({ url: `/stg/us/dealer/tickets/${OPEN}`, headers: asErin() })
  expect(seen.json()).toMatchObject({ srid: OPEN, status: 'E0003' })
})

test('an in-store request can be confirmed, and the response does not contain its cancellation key', async () => {
  const { app, store } = buildTestApp()
  const request = newInStoreRequest()
  await store.transaction((tx) => tx.inStoreRequests.put(request))
  const reply = await move(app, request.srid, 'confirm')
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    expect.objectContaining({ serviceType: 'CI', status: 'E0002' }),
  ])
  expect(reply.payload).not.toContain('cancelKey')
})

test('confirming or completing a ticket returns 409 if the ticket is in the wrong state', async () => {
  const { app } = buildTestApp()
  expect((await move(app, OPEN, 'complete')).statusCode).toBe(409)
  expect((await move(app, '9999999999', 'confirm')).statusCode).toBe(404)
  expect((await move(app, 'x', 'confirm')).statusCode).toBe(400)
})

test('a request with a missed appointment can be confirmed until it closes a day later', async () => {
  const { app, store, clock } = buildTestApp()
  const request = newInStoreRequest({ userId: 'profile:web-alice' })
  await store.transaction((tx) => tx.inStoreRequests.put(request))
  const look = async () => {
    const url = `/stg/us/instore/detail?srid=${request.srid}`
    return (await app.inject({ url, headers: asWeb('web-alice') })).json()
  }
  clock.set('2026-05-09T13:59:59Z')
  expect(await look()).toMatchObject({ status: 'E0001', appointment: { status: 'MISSED' } })
  const confirmed = { status: 'E0002', appointment: { status: 'CONFIRMED' } }
  expect((await move(app, request.srid, 'confirm')).json()).toMatchObject(confirmed)
  expect(await look()).toMatchObject(confirmed)
  clock.set('2026-05-09T14:00:00Z')
  expect((await move(app, request.srid, 'complete')).statusCode).toBe(409)
  clock.set('2026-05-09T13:59:59Z')
  const completed = (await move(app, request.srid, 'complete')).json()
  expect(completed).toMatchObject({ status: 'E0003', appointment: { status: 'COMPLETED' } })
  clock.set('2026-06-30T12:00:00Z')
  const refused = await move(app, OPEN, 'confirm')
  expect([refused.statusCode, refused.json().error.message]).toEqual([409, expect.stringContaining('is E0003')])
})
