import { expect, test } from 'vitest'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import {
  buildAppointmentApp,
  createTestTicket,
  KIOSK,
  laterSlot,
  newServiceCenter,
  newTicketBody,
  post,
  slot,
} from '../../helpers/documents/appointments.ts'
import { asGuest } from '../../helpers/build-test-app.ts'
import { asTess, findingsOf } from '../../helpers/documents/dealer-portal.ts'
import { asNed, buildInStoreApp } from '../../helpers/documents/in-store.ts'
import { newRegisteredProduct } from '../../helpers/records.ts'

/** In tests, the clock starts on 6 May. */
test.each([
  ['2026-07-05', 1],
  ['2026-07-06', 0],
  ['2026-08-12', 0],
  ['2030-01-01', 0],
])('operation 37 with the start date %s lists %i day(s), up to 60 days ahead', async (start, days) => {
  const { app, create } = await buildInStoreApp()
  const url = `/stg/us/instore/noauth/slots?ascType=WALKIN&ascCode=TSC001&start=${start}`
  const reply = await app.inject({ url, headers: asGuest() })
  expect([reply.statusCode, reply.json().start]).toEqual([200, start])
  const dates = reply.json().schedule.map(({ date }: { date: string }) => date)
  expect(dates).toEqual(days === 0 ? [] : [start])
  expect((await create({ appointmentDate: start }, asNed())).statusCode).toBe(days === 0 ? 400 : 200)
})

test('operations 8 and 9 return SlotUnavailable for slots after the 14 days of operation 16', async () => {
  const { app } = await buildAppointmentApp()
  const url = `/stg/us/dealer/schedule?modelCode=${KIOSK}`
  const { schedules } = (await app.inject({ url, headers: asTess() })).json()
  expect(schedules.at(-1).date).toBe('2026-05-19')
  const last = { appointmentDate: '2026-05-19', timeSlot: 'TSC001-IH-20260519-PM' }
  const beyond = { appointmentDate: '2026-05-20', timeSlot: 'TSC001-IH-20260520-PM' }
  const { srid } = await createTestTicket(app)
  for (const send of [
    (slot: object) => post(app, '', newTicketBody(slot as Record<string, unknown>)),
    (slot: object) => post(app, '/reschedule', { srid, ...slot, rescheduleReasonCode: 'R' }),
  ]) {
    const refused = await send(beyond)
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'SlotUnavailable'])
  }
  const moved = await post(app, '/reschedule', { srid, ...last, rescheduleReasonCode: 'R' })
  expect([moved.statusCode, moved.json().appointment.date]).toEqual([200, '2026-05-19'])
})

test('operation 8 returns 400 for an out-of-warranty product if the center does not serve it', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], outOfWarranty: false, capacity: { AM: 2, PM: 10 } }
  const { app, store } = await buildAppointmentApp(newServiceCenter({ inHome }))
  const url = `/stg/us/dealer/schedule?modelCode=${KIOSK}&inWarranty=false`
  expect((await app.inject({ url, headers: asTess() })).statusCode).toBe(404)
  const old = await post(app, '', newTicketBody({ purchaseDate: '2015-01-01' }))
  expect([old.statusCode, findingsOf(old)]).toEqual([400, ['InvalidParameter body.ascCode']])
  expect(citedRules(old)).toEqual(['our choice: out-of-warranty'])
  const product = { modelCode: KIOSK, serialNumber: '0KIOSK12345', warrantyEndDate: '2026-05-05' }
  await store.transaction((tx) => tx.registeredProducts.put(newRegisteredProduct(product)))
  expect((await post(app, '', newTicketBody({ purchaseDate: '2026-05-01' }))).statusCode).toBe(400)
  const fresh = await post(app, '', newTicketBody({ serialNumber: '0KIOSK99999', purchaseDate: '2026-05-01' }))
  expect([fresh.statusCode, fresh.json().inWarranty]).toEqual([200, true])
})

test('operation 9 returns 400 if the center does not serve the now out-of-warranty product', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], outOfWarranty: false, capacity: { AM: 2, PM: 10 } }
  const { app, store } = await buildAppointmentApp(newServiceCenter({ inHome }))
  const { srid } = await createTestTicket(app)
  const move = { srid, ...laterSlot, rescheduleReasonCode: 'R' }
  expect((await post(app, '/reschedule', move)).statusCode).toBe(200)
  const product = { modelCode: KIOSK, serialNumber: '0KIOSK12345', warrantyEndDate: '2026-05-05' }
  await store.transaction((tx) => tx.registeredProducts.put(newRegisteredProduct(product)))
  const before = await store.tickets.get(srid)
  const refused = await post(app, '/reschedule', { ...move, ...slot })
  expect([refused.statusCode, findingsOf(refused)]).toEqual([400, ['InvalidParameter body.srid']])
  expect(citedRules(refused)).toEqual(['our choice: reschedule-out-of-warranty'])
  expect(await store.tickets.get(srid)).toEqual(before)
  await store.transaction((tx) => tx.serviceCenters.put(newServiceCenter()))
  expect((await post(app, '/reschedule', { ...move, ...slot })).statusCode).toBe(200)
})

test('operation 8 accepts a product whose warranty is unknown', async () => {
  const inHome = { radiusMiles: 20, subTypes: ['KIOSK'], outOfWarranty: false, capacity: { AM: 2, PM: 10 } }
  const { app } = await buildAppointmentApp(newServiceCenter({ inHome }))
  const reply = await post(app, '', newTicketBody())
  expect([reply.statusCode, reply.json().inWarranty]).toEqual([200, false])
})

test.each([
  ['2026-05-05', '20260505-AM', 'is in the past', 'our choice: lead-time'],
  ['2026-05-06', '20260506-AM', 'is in the past', 'our choice: lead-time'],
  ['2026-05-06', '20260506-PM', 'starts within an hour from now', 'our choice: lead-time'],
  ['2026-05-20', '20260520-AM', 'is after 2026-05-19, the last day that can be booked', 'our choice: ticket-windows'],
  ['2026-05-08', '20260508-AM', 'is on a day when TSC001 is closed', 'our choice: holidays'],
  ['2026-05-10', '20260510-AM', 'is on a day without slots at TSC001', 'our choice: slot-unavailable'],
  ['2026-05-07', '20260511-AM', 'is a slot of another date', 'our choice: slot-unavailable'],
  ['2026-05-07', '20260507-XM', 'does not exist at TSC001', 'our choice: slot-unavailable'],
])('the error for the slot on %s with the ID %s says that it %s', async (appointmentDate, id, reason, rule) => {
  const hours = [1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, open: '09:00', close: '18:00' }))
  const { app } = await buildAppointmentApp(newServiceCenter({ hours, closedDates: ['2026-05-08'] }))
  const timeSlot = `TSC001-IH-${id}`
  const refused = await post(app, '', newTicketBody({ appointmentDate, timeSlot }))
  expect(refused.json().error.message).toContain(`slot ${timeSlot} on ${appointmentDate} ${reason}; GET `)
  expect(citedRules(refused)).toEqual([rule])
})
