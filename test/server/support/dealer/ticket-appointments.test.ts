import { expect, test } from 'vitest'
import { citedRules } from '../../../helpers/documents/cited-rules.ts'
import { confirmTicket } from '../../../../src/server/control/tickets.ts'
import {
  buildAppointmentApp,
  cancel,
  createTestTicket,
  laterSlot,
  newInStoreRequest,
  newServiceCenter,
  newTicketBody,
  post,
  slot,
} from '../../../helpers/documents/appointments.ts'
import { asGuest, asWeb } from '../../../helpers/build-test-app.ts'
import { asTess, asToby, expectSameRefusal, findingsOf } from '../../../helpers/documents/dealer-portal.ts'
import { newTicket } from '../../../helpers/records.ts'

const moved = (srid: string, more: object = {}) => ({ srid, ...laterSlot, rescheduleReasonCode: 'CUSTOMER', ...more })
/** A time during the slot of the tickets in these tests. */
const DURING = '2026-05-07T17:00:00Z'

test('operation 9 returns 200 with the new appointment and reopens the ticket', async () => {
  const { app, store, ...ports } = await buildAppointmentApp()
  const { srid, appointment } = await createTestTicket(app)
  await confirmTicket({ store, ...ports }, srid)
  const reply = await post(app, '/reschedule', moved(srid))
  expect(reply.statusCode).toBe(200)
  const ticket = reply.json()
  expect(ticket).toMatchObject({
    srid,
    status: 'E0001',
    appointment: { date: '2026-05-08', startTime: '08:00', status: 'REQUESTED' },
    previousAppointments: [{ ...appointment, status: 'RESCHEDULED' }],
  })
  expect(ticket.appointment.appointmentId).not.toBe(appointment.appointmentId)
  expect(ticket.history.map(({ to }: { to: string }) => to)).toEqual(['E0001', 'E0002', 'E0001'])
  expect(ticket.history.at(-1)).toMatchObject({ reason: 'RESCHEDULED', rescheduleReasonCode: 'CUSTOMER' })
  expect(await store.bookings.count({ slotId: slot.timeSlot })).toBe(0)
  expect(await store.bookings.count({ slotId: laterSlot.timeSlot })).toBe(1)
})

test('operation 9 returns 200 for a move to the slot that the ticket itself fills', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 1, PM: 1 } }
  const { app } = await buildAppointmentApp(newServiceCenter({ inHome }))
  const { srid } = await createTestTicket(app)
  expect((await post(app, '/reschedule', moved(srid, slot))).statusCode).toBe(200)
})

test('operation 9 returns 400 SlotUnavailable for a full or unknown slot and changes nothing', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 1, PM: 1 } }
  const { app, store } = await buildAppointmentApp(newServiceCenter({ inHome }))
  const { srid } = await createTestTicket(app)
  const other = newTicketBody({ bpNo: '9200000001', ...laterSlot })
  expect((await post(app, '', other, asToby())).statusCode).toBe(200)
  for (const more of [{}, { timeSlot: 'never' }, { appointmentDate: '2026-05-09' }]) {
    const reply = await post(app, '/reschedule', moved(srid, more))
    expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'SlotUnavailable'])
  }
  expect(await store.bookings.count({ slotId: slot.timeSlot })).toBe(1)
  expect(await store.tickets.get(srid)).toMatchObject({ appointment: { date: '2026-05-07' }, previousAppointments: [] })
})

test('operation 9 returns 400 for a closed ticket, a started appointment and a dispute', async () => {
  const { app, store, clock } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  await store.transaction((tx) => tx.tickets.put(newTicket({ serviceType: 'DS' })))
  expect((await post(app, '/reschedule', moved('9410000001'))).statusCode).toBe(400)
  clock.set(DURING)
  expect((await post(app, '/reschedule', moved(srid))).json().error.message).toContain('has started')
  clock.set('2026-05-06T16:00:00Z')
  await cancel(app, srid)
  const reply = await post(app, '/reschedule', moved(srid))
  expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'ConflictError'])
  expect(citedRules(reply)).toEqual(['our choice: reschedule'])
})

test('operation 9 returns 400 with all errors for invalid input', async () => {
  const { app } = await buildAppointmentApp()
  const reply = await post(app, '/reschedule', { appointmentDate: 'soon' })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply).sort()).toEqual([
    'InvalidParameter body.appointmentDate',
    'MissingParameter body.srid',
    'MissingParameter body.timeSlot',
  ])
})

test("operation 9 returns the same 404 for unknown, malformed and other companies' srids", async () => {
  const { app } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  const unknown = await post(app, '/reschedule', moved('9999999999'))
  expectSameRefusal(404, unknown, await post(app, '/reschedule', moved('nonsense')))
  expectSameRefusal(404, unknown, await post(app, '/reschedule', moved('1'.repeat(100))))
  expectSameRefusal(404, unknown, await post(app, '/reschedule', moved(srid), asToby()))
})

test('operations 9 and 10 return 401 without an identity', async () => {
  const { app } = await buildAppointmentApp()
  expect((await post(app, '/reschedule', moved('9999999999'), asGuest())).statusCode).toBe(401)
  expect((await cancel(app, '9999999999', asGuest())).statusCode).toBe(401)
})

test('operations 9 and 10 return 403 for a profile without a company', async () => {
  const { app } = await buildAppointmentApp()
  expect((await post(app, '/reschedule', moved('9999999999'), asWeb('no-dealer'))).statusCode).toBe(403)
  expect((await cancel(app, '9999999999', asWeb('no-dealer'))).statusCode).toBe(403)
  expect((await post(app, '/reschedule', moved('9999999999', { companyId: 'T200' }))).statusCode).toBe(403)
})

test('operation 10 returns 200 with success: true, closes the ticket and releases its slot', async () => {
  const { app, store } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  const reply = await cancel(app, srid)
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { success: true, srid, status: 'E0003' }])
  expect(await store.tickets.get(srid)).toMatchObject({
    status: 'E0003',
    statusReasonCode: 'CANCELLED',
    appointment: { status: 'CANCELLED' },
  })
  expect(await store.bookings.count({ slotId: slot.timeSlot })).toBe(0)
})

test('operation 10 returns 200 with success: true for a dispute, which has no appointment', async () => {
  const { app, store } = await buildAppointmentApp()
  await store.transaction((tx) => tx.tickets.put(newTicket({ serviceType: 'DS' })))
  expect((await cancel(app, '9410000001')).json()).toMatchObject({ success: true, status: 'E0003' })
})

test('operation 10 returns 200 with success: false after the appointment has started', async () => {
  const { app, store, clock } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  clock.set(DURING)
  const reply = await cancel(app, srid)
  expect([reply.statusCode, reply.json()]).toMatchObject([200, { success: false, srid, status: 'E0001' }])
  expect((await store.tickets.get(srid))?.status).toBe('E0001')
})

test('operation 10 returns 204 for an srid without an open ticket of the company', async () => {
  const { app, store } = await buildAppointmentApp()
  const inStore = newInStoreRequest()
  await store.transaction((tx) => tx.inStoreRequests.put(inStore))
  const { srid } = await createTestTicket(app)
  const replies = [
    await cancel(app, '9999999999'),
    await cancel(app, 'x'.repeat(1000)),
    await cancel(app, inStore.srid),
  ]
  replies.push(await cancel(app, srid, asToby()))
  expect((await store.tickets.get(srid))?.status).toBe('E0001')
  await cancel(app, srid)
  replies.push(await cancel(app, srid))
  expect(replies.map(({ statusCode, body }) => [statusCode, body])).toEqual(Array(5).fill([204, '']))
  expect(replies.map(citedRules)).toEqual(Array(5).fill(['our choice: no-open-ticket']))
  expect((await store.inStoreRequests.get(inStore.srid))?.status).toBe('E0001')
})

test('the journal says why operation 10 found no open ticket', async () => {
  const { app } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  const whyNot = async (asked: string, headers?: Parameters<typeof cancel>[2]) => {
    await cancel(app, asked, headers)
    return (await app.inject('/_control/journal?limit=1')).json().entries[0].why?.message
  }
  expect([await whyNot('9999999999'), await whyNot(srid, asToby()), await whyNot(srid), await whyNot(srid)]).toEqual([
    'no ticket has this srid',
    'the ticket with this srid belongs to another company',
    undefined,
    'the ticket with this srid is closed',
  ])
})

/** A time after the original slot and before the slot to which the tickets are moved. */
const AFTER = '2026-05-07T21:00:00Z'

test('operations 19 and 20 show an appointment as MISSED after its end', async () => {
  const { app, store, clock } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  const shown = async () => {
    const detail = await app.inject({ url: `/stg/us/dealer/tickets/${srid}`, headers: asTess() })
    const list = await app.inject({ url: '/stg/us/dealer/tickets', headers: asTess() })
    expect(list.json().items).toEqual([detail.json()])
    return [detail.json().status, detail.json().appointment.status]
  }
  clock.set(DURING)
  expect(await shown()).toEqual(['E0001', 'REQUESTED'])
  clock.set(AFTER)
  expect(await shown()).toEqual(['E0001', 'MISSED'])
  expect((await store.tickets.get(srid))?.appointment?.status).toBe('REQUESTED')
})

test('operation 9 can move a missed appointment, which is still MISSED in previousAppointments', async () => {
  const test = await buildAppointmentApp()
  const { srid } = await createTestTicket(test.app)
  test.clock.set(AFTER)
  const missed = { appointmentDate: '2026-05-09', timeSlot: 'TSC001-IH-20260509-AM' }
  const reply = await post(test.app, '/reschedule', moved(srid, missed))
  expect([reply.statusCode, reply.json()]).toMatchObject([
    200,
    {
      status: 'E0001',
      appointment: { date: '2026-05-09', status: 'REQUESTED' },
      previousAppointments: [{ date: '2026-05-07', status: 'MISSED' }],
    },
  ])
  expect(await test.store.bookings.count({ srid })).toBe(1)
})

test('operation 10 can cancel a ticket whose appointment was missed', async () => {
  const { app, store, clock } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  clock.set(AFTER)
  expect((await cancel(app, srid)).json()).toMatchObject({ success: true, status: 'E0003' })
  expect(await store.bookings.count({ srid })).toBe(0)
  expect((await store.tickets.get(srid))?.appointment?.status).toBe('MISSED')
})

test('operation 9 returns 400 LimitExceeded after 1,000 moves of a ticket', async () => {
  const test = await buildAppointmentApp()
  const { app, store } = test
  const { srid, appointment } = await createTestTicket(app)
  const ticket = (await store.tickets.get(srid))!
  const { history } = ticket
  const changes = Array.from({ length: 2 * 999 }, () => ({ ...history[0]!, from: 'E0001' as const }))
  const previousAppointments = Array.from({ length: 999 }, () => ({ ...appointment, status: 'RESCHEDULED' as const }))
  await store.transaction((tx) =>
    tx.tickets.put({ ...ticket, history: [...history, ...changes], previousAppointments }),
  )
  await confirmTicket(test, srid)
  expect((await post(app, '/reschedule', moved(srid))).statusCode).toBe(200)
  const refused = await post(app, '/reschedule', moved(srid))
  expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'LimitExceeded'])
  await confirmTicket(test, srid)
  expect((await cancel(app, srid)).json()).toMatchObject({ success: true, status: 'E0003' })
  const seen = await app.inject({ url: `/stg/us/dealer/tickets/${srid}`, headers: asTess() })
  expect([seen.statusCode, seen.json().history.length]).toEqual([200, 2003])
})

test('operation 9 returns 200 without a rescheduleReasonCode', async () => {
  const { app } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  const { rescheduleReasonCode: _, ...body } = moved(srid)
  const reply = await post(app, '/reschedule', body)
  expect([reply.statusCode, reply.json().history.at(-1).reason]).toEqual([200, 'RESCHEDULED'])
  expect(reply.json().history.at(-1)).not.toHaveProperty('rescheduleReasonCode')
})
