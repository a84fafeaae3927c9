import { expect, test } from 'vitest'
import { newInStoreRequest } from '../helpers/appointments.ts'
import { asErin, asWeb, buildTestApp } from '../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']
const move = async (app: App, srid: string, step: string) =>
  app.inject({ method: 'POST', url: `/_control/tickets/${srid}/${step}` })

/** A ticket of the fixtures that waits for its confirmation. */
const OPEN = '4100000017'

test("a dealer's ticket is confirmed and completed; the dealer sees it", async () => {
  const { app } = buildTestApp()
  const reply = await move(app, OPEN, 'confirm')
  expect([reply.statusCode, reply.json()]).toEqual([200, expect.objectContaining({ srid: OPEN, status: 'E0002' })])
  expect((await move(app, OPEN, 'complete')).json()).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED' })
  const seen = await app.inject({ url: `/stg/us/dealer/tickets/${OPEN}`, headers: asErin() })
  expect(seen.json()).toMatchObject({ srid: OPEN, status: 'E0003' })
})

test('an in-store request goes the same way, and shows no key', async () => {
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

test('steps out of order are 409, an unknown request 404, a malformed srid 400', async () => {
  const { app } = buildTestApp()
  expect((await move(app, OPEN, 'complete')).statusCode).toBe(409)
  expect((await move(app, '9999999999', 'confirm')).statusCode).toBe(404)
  expect((await move(app, 'x', 'confirm')).statusCode).toBe(400)
})

test('what is confirmed after its appointment has ended shows as missed, in the reply and in 20 and 34', async () => {
  const { app, store, clock } = buildTestApp()
  const request = newInStoreRequest({ userId: 'profile:web-alice' })
  await store.transaction((tx) => tx.inStoreRequests.put(request))
  clock.set('2026-06-30T12:00:00Z')
  const seen = {
    [OPEN]: `/stg/us/dealer/tickets/${OPEN}`,
    [request.srid]: `/stg/us/instore/detail?srid=${request.srid}`,
  }
  for (const [srid, url] of Object.entries(seen)) {
    const headers = srid === OPEN ? asErin() : asWeb('web-alice')
    const replies = [await move(app, srid, 'confirm'), await app.inject({ url, headers })]
    for (const reply of replies)
      expect(reply.json()).toMatchObject({ status: 'E0002', appointment: { status: 'MISSED' } })
    const completed = (await move(app, srid, 'complete')).json()
    expect(completed).toMatchObject({ status: 'E0003', appointment: { status: 'COMPLETED' } })
  }
})
