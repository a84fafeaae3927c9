import { expect, test } from 'vitest'
import { confirmTicket } from '../../../src/server/control/tickets.ts'
import { buildAppointmentApp, cancel, createTestTicket, laterSlot, post } from '../../helpers/documents/appointments.ts'
import { asTess, callsOf } from '../../helpers/documents/dealer-portal.ts'
import { buildInStoreApp } from '../../helpers/documents/in-store.ts'

/** Times relative to the default appointment of a ticket, which is on 7 May from 1 to 5 p.m. in New York. */
const UNDER_WAY = '2026-05-07T18:00:00Z'
const OVER = '2026-05-07T21:00:00Z'
const A_DAY_LATER = '2026-05-08T21:00:00Z'
const move = {
  ...laterSlot,
  appointmentDate: '2026-05-11',
  timeSlot: 'TSC001-IH-20260511-AM',
  rescheduleReasonCode: 'R',
}

async function build() {
  const test = await buildAppointmentApp()
  const { srid } = await createTestTicket(test.app)
  const { get } = callsOf(test.app)
  const list = async (query = '') => (await get(`/tickets?bpNoList=9100000001${query}`)).json()
  const look = async () => (await get(`/tickets/${srid}`)).json()
  return { ...test, srid, list, look }
}

test('a missed ticket is open for one day and then closed with NO_SHOW', async () => {
  const { clock, look, list, srid, store } = await build()
  clock.set(OVER)
  const missed = { status: 'E0001', statusDesc: 'Open: appointment missed', appointment: { status: 'MISSED' } }
  expect(await look()).toMatchObject(missed)
  clock.set(A_DAY_LATER)
  const closed = await look()
  expect(closed).toMatchObject({
    status: 'E0003',
    statusReasonCode: 'NO_SHOW',
    statusDesc: 'Closed: no show',
    appointment: { status: 'MISSED' },
  })
  expect(closed.history.at(-1)).toEqual({
    at: '2026-05-08T21:00:00.000Z',
    from: 'E0001',
    to: 'E0003',
    reason: 'NO_SHOW',
  })
  expect((await list()).items).toEqual([closed])
  expect(await store.tickets.get(srid)).toMatchObject({ status: 'E0001', appointment: { status: 'REQUESTED' } })
  clock.set(OVER)
  expect(await look()).toMatchObject(missed)
})

test('a ticket that was closed after a missed appointment cannot be rescheduled, cancelled or confirmed', async () => {
  const { app, clock, srid, ...test } = await build()
  clock.set(A_DAY_LATER)
  const moved = await post(app, '/reschedule', { srid, ...move })
  expect([moved.statusCode, moved.json().error.code]).toEqual([400, 'ConflictError'])
  expect((await cancel(app, srid)).statusCode).toBe(204)
  await expect(confirmTicket({ clock, ...test }, srid)).rejects.toMatchObject({ code: 'conflict' })
})

test('a missed appointment is still MISSED after its ticket or in-store request is cancelled', async () => {
  const { app, clock, srid, look } = await build()
  clock.set(OVER)
  expect((await cancel(app, srid)).json()).toMatchObject({ success: true })
  const missed = { status: 'E0003', statusReasonCode: 'CANCELLED', appointment: { status: 'MISSED' } }
  expect(await look()).toMatchObject(missed)
  const inStore = await buildInStoreApp()
  const other = await inStore.createdSrid()
  inStore.clock.set('2026-05-08T14:00:00Z')
  expect((await inStore.cancel({ srid: other })).json()).toEqual({ cancelled: true })
  expect((await inStore.detail({ srid: other })).json()).toMatchObject(missed)
})

test('filtering tickets by statusList follows the clock forward and back, including the counts', async () => {
  const { clock, list } = await build()
  const counts = async () => {
    const found = []
    for (const status of ['E0001', 'E0002', 'E0003']) {
      const { items, totalCount } = await list(`&statusList=${status}`)
      expect(items.every((each: { status: string }) => each.status === status)).toBe(true)
      expect(items).toHaveLength(totalCount)
      found.push(totalCount)
    }
    return found
  }
  for (const [instant, wanted] of [
    [UNDER_WAY, [1, 0, 0]],
    [OVER, [1, 0, 0]],
    [A_DAY_LATER, [0, 0, 1]],
    [OVER, [1, 0, 0]],
  ] as const) {
    clock.set(instant)
    expect(await counts()).toEqual(wanted)
  }
})

test('a confirmed appointment is never missed, even after its end', async () => {
  const { app, clock, srid, look, ...test } = await build()
  await confirmTicket({ clock, ...test }, srid)
  for (const instant of [UNDER_WAY, OVER]) {
    clock.set(instant)
    expect(await look()).toMatchObject({ status: 'E0002', appointment: { status: 'CONFIRMED' } })
    const refused = await cancel(app, srid)
    expect([refused.statusCode, refused.json()]).toMatchObject([200, { success: false, code: 'AppointmentStarted' }])
    expect((await post(app, '/reschedule', { srid, ...move })).statusCode).toBe(400)
  }
  clock.set(A_DAY_LATER)
  expect(await look()).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED' })
  expect((await cancel(app, srid)).statusCode).toBe(204)
})

test('a missed in-store request counts as open until it closes a day later', async () => {
  const { create, createdSrid, detail, cancel, clock } = await buildInStoreApp()
  const srid = await createdSrid()
  const again = { appointmentDate: '2026-05-20' }
  clock.set('2026-05-08T14:00:00Z')
  const refused = await create(again)
  expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'ConflictError'])
  clock.set('2026-05-09T13:59:59Z')
  expect((await create(again)).statusCode).toBe(400)
  clock.set('2026-05-09T14:00:00Z')
  expect((await detail({ srid })).json()).toMatchObject({ status: 'E0003', statusReasonCode: 'NO_SHOW' })
  expect((await cancel({ srid })).json()).toEqual({ cancelled: false })
  expect((await create(again)).statusCode).toBe(200)
})

test('a dispute has no appointment and does not close by itself', async () => {
  const { app, store, clock } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  const { appointment: _, ...ticket } = (await store.tickets.get(srid))!
  await store.transaction((tx) => tx.tickets.put({ ...ticket, serviceType: 'DS' }))
  clock.set('2028-01-01T00:00:00Z')
  const url = '/stg/us/dealer/tickets?statusList=E0001'
  expect((await app.inject({ url, headers: asTess() })).json()).toMatchObject({ totalCount: 1, items: [{ srid }] })
})

test('the control API lists and filters an expired request by its current status', async () => {
  const { app, clock, srid, store } = await build()
  const read = async (path: string) => (await app.inject(`/_control/${path}`)).json()
  const list = async (status: string) =>
    (await read(`records/tickets?companyId=T100&status=${status}`)).items.map((each: { srid: string }) => each.srid)
  clock.set(A_DAY_LATER)
  const closed = { srid, status: 'E0003', statusReasonCode: 'NO_SHOW', appointment: { status: 'MISSED' } }
  expect(await read(`records/tickets/${srid}`)).toMatchObject(closed)
  expect((await read(`records/tickets?srid=${srid}`)).items).toMatchObject([closed])
  expect([await list('E0001'), await list('E0003')]).toEqual([[], [srid]])
  expect(await store.tickets.get(srid)).toMatchObject({ status: 'E0001' })
})
