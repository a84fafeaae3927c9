import { expect, test } from 'vitest'
import {
  buildAppointmentApp,
  createTestTicket,
  KIOSK,
  newServiceCenter,
  newTicketBody,
  post,
  slot,
} from '../../../helpers/documents/appointments.ts'
import { asGuest, asWeb } from '../../../helpers/build-test-app.ts'
import { citedRules } from '../../../helpers/documents/cited-rules.ts'
import { asTess, asToby, expectSameRefusal, findingsOf } from '../../../helpers/documents/dealer-portal.ts'
import { newRegisteredProduct, newStore } from '../../../helpers/records.ts'

test('operation 8 returns 200 with the ticket and its appointment', async () => {
  const { app, store } = await buildAppointmentApp()
  const reply = await post(app, '', newTicketBody({ symCode3: 'K1-A-X', companyId: 'T100', storeNumber: '9001' }))
  expect(reply.statusCode).toBe(200)
  const ticket = reply.json()
  expect(ticket).toMatchObject({
    srid: expect.stringMatching(/^\d{10}$/),
    ticketNumber: expect.stringMatching(/^\d{10}$/),
    status: 'E0001',
    serviceType: 'IH',
    bpNo: '9100000001',
    companyId: 'T100',
    customer: { bpNo: '9100000001', firstName: 'Pat' },
    symptoms: [
      { level: 1, code: 'K1', name: 'Symptom K1' },
      { level: 2, code: 'K1-A', name: 'Symptom K1-A' },
      { level: 3, code: 'K1-A-X', name: 'Symptom K1-A-X' },
    ],
    ascCode: 'TSC001',
    ascName: 'Test Service Center',
    appointment: { date: '2026-05-07', startTime: '13:00', endTime: '17:00', status: 'REQUESTED' },
    previousAppointments: [],
    history: [{ from: null, to: 'E0001' }],
  })
  expect(ticket).not.toHaveProperty('phoneNumber')
  expect(ticket.customer).not.toHaveProperty('zip5')
  const [booking] = await store.bookings.find({ where: { srid: ticket.srid } })
  expect(booking).toMatchObject({ holder: 'bp:9100000001', slotId: slot.timeSlot })
})

test('operation 8 returns 400 with all errors for invalid input', async () => {
  const { app } = await buildAppointmentApp()
  const {
    bpNo: _,
    symCode1: __,
    ...body
  } = newTicketBody({
    appointmentDate: '2026-02-30',
    problemDescription: 'x'.repeat(1001),
  })
  const reply = await post(app, '', { ...body, bpNo: '12', serviceType: 'CI' })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply).sort()).toEqual([
    'InvalidLength body.problemDescription',
    'InvalidParameter body.appointmentDate',
    'InvalidParameter body.bpNo',
    'InvalidParameter body.serviceType',
    'MissingParameter body.symCode1',
  ])
  expect(
    (await app.inject({ method: 'POST', url: '/stg/us/dealer/customers/ticket', headers: asTess() })).statusCode,
  ).toBe(400)
})

test('operation 8 returns 400 with an error for each symptom invalid for the product', async () => {
  const { app } = await buildAppointmentApp()
  const findings = async (more: Record<string, string>) => {
    const reply = await post(app, '', newTicketBody(more))
    expect(reply.statusCode).toBe(400)
    return findingsOf(reply)
  }
  expect(await findings({ symCode1: 'NO', symCode2: 'NEITHER' })).toEqual([
    'InvalidParameter body.symCode1',
    'InvalidParameter body.symCode2',
  ])
  expect(await findings({ symCode1: 'K1', symCode2: 'K2-A' })).toEqual(['InvalidParameter body.symCode2'])
  expect(await findings({ symCode3: 'K2' })).toEqual(['InvalidParameter body.symCode3'])
})

test('operation 8 returns 400 for a future purchase date and a distant service center', async () => {
  const { app, store } = await buildAppointmentApp()
  const future = await post(app, '', newTicketBody({ purchaseDate: '2026-05-07' }))
  expect([future.statusCode, future.json().error.details[0]?.target]).toEqual([400, 'body.purchaseDate'])
  await store.transaction((tx) => tx.serviceCenters.put(newServiceCenter({ ascCode: 'TSC009', lat: 34, lng: -118 })))
  const far = await post(app, '', newTicketBody({ ascCode: 'TSC009' }))
  expect([far.statusCode, far.json().error.details[0]?.target]).toEqual([400, 'body.ascCode'])
})

test('operation 8 returns 400 SlotUnavailable for a past, unknown or non-matching slot', async () => {
  const { app } = await buildAppointmentApp()
  for (const more of [
    { appointmentDate: '2026-05-06', timeSlot: 'TSC001-IH-20260506-AM' },
    { timeSlot: 'TSC001-IH-20260507-XM' },
    { appointmentDate: '2026-05-08' },
    { timeSlot: 'TSC001-WI-20260507-1300' },
  ]) {
    const reply = await post(app, '', newTicketBody(more))
    expect([more, reply.statusCode, reply.json().error.code]).toEqual([more, 400, 'SlotUnavailable'])
  }
})

test('operation 8 returns 400 and stores nothing if the customer has an overlapping appointment', async () => {
  const { app, store } = await buildAppointmentApp()
  await createTestTicket(app)
  const reply = await post(app, '', newTicketBody())
  expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'ConflictError'])
  expect(citedRules(reply)).toEqual(['our choice: booking-overlap'])
  expect(await store.tickets.count({ companyId: 'T100' })).toBe(1)
})

test('operation 8 returns 401 without an identity', async () => {
  const { app } = await buildAppointmentApp()
  expect((await post(app, '', newTicketBody(), asGuest())).statusCode).toBe(401)
})

test('operation 8 returns 403 for a profile without a company and for another companyId', async () => {
  const { app } = await buildAppointmentApp()
  expect((await post(app, '', newTicketBody(), asWeb('no-dealer'))).statusCode).toBe(403)
  expect((await post(app, '', newTicketBody({ companyId: 'T200' }))).statusCode).toBe(403)
})

test('operation 8 returns 404 for an unknown model, service center or customer', async () => {
  const { app } = await buildAppointmentApp()
  expect((await post(app, '', newTicketBody({ modelCode: 'VM-NONE' }))).statusCode).toBe(404)
  expect((await post(app, '', newTicketBody({ ascCode: 'TSC999' }))).statusCode).toBe(404)
  const unknown = await post(app, '', newTicketBody({ bpNo: '9900000009' }))
  expectSameRefusal(404, unknown, await post(app, '', newTicketBody(), asToby()))
})

test('the warranty of a ticket depends on the registered product or the purchase date', async () => {
  const { app, store } = await buildAppointmentApp()
  await store.transaction((tx) =>
    tx.registeredProducts.put(newRegisteredProduct({ modelCode: KIOSK, serialNumber: '0KIOSK00001' })),
  )
  const create = async (day: number, more: Record<string, string>) => {
    const at = { appointmentDate: `2026-05-1${day}`, timeSlot: `TSC001-IH-2026051${day}-PM` }
    return (await createTestTicket(app, { ...at, ...more })).inWarranty
  }
  expect(await create(0, { serialNumber: '0kiosk00001', purchaseDate: '2020-01-01' })).toBe(true)
  expect(await create(1, { serialNumber: '0KIOSK00002', purchaseDate: '2025-05-06' })).toBe(true)
  expect(await create(2, { serialNumber: '0KIOSK00002', purchaseDate: '2025-05-05' })).toBe(false)
  expect(await create(3, { serialNumber: '0KIOSK00002' })).toBe(false)
})

test('operations 8, 19 and 20 return the fields of a ticket as they were sent', async () => {
  const { app } = await buildAppointmentApp()
  const sent = {
    problemDescription: ' No picture ',
    purchaseDate: '2026-01-31',
    storeNumber: '9001',
    dealerReferenceNo: 'REF 7',
  }
  const ticket = await createTestTicket(app, sent)
  expect(ticket).toMatchObject(sent)
  const detail = await app.inject({ url: `/stg/us/dealer/tickets/${ticket.srid}`, headers: asTess() })
  expect(detail.json()).toEqual(ticket)
  const list = await app.inject({ url: '/stg/us/dealer/tickets', headers: asTess() })
  expect(list.json().items).toEqual([ticket])
})

test('operation 8 returns 400 for a storeNumber that no store of the company has', async () => {
  const { app, store } = await buildAppointmentApp()
  await store.transaction((tx) => tx.stores.put(newStore({ storeId: 'S-2', storeNumber: '9002', companyId: 'T200' })))
  for (const storeNumber of ['NOPE', '9002', ' ']) {
    const reply = await post(app, '', newTicketBody({ storeNumber }))
    expect([reply.statusCode, findingsOf(reply)]).toEqual([400, ['InvalidParameter body.storeNumber']])
  }
})

test('operation 8 validates the device by the same rules as operation 14', async () => {
  const { app, store } = await buildAppointmentApp()
  await store.transaction(async (tx) => {
    const other = newRegisteredProduct({ bpNo: '9100000002', modelCode: KIOSK, serialNumber: '0KIOSKTHEIR' })
    await tx.registeredProducts.put(other)
    await tx.productUnits.put({ prdId: '0TV55OTHER1', modelCode: 'VM-TV55' })
  })
  const otherModel = await post(app, '', newTicketBody({ serialNumber: '0TV55OTHER1' }))
  expect([otherModel.statusCode, findingsOf(otherModel)]).toEqual([400, ['InvalidParameter body.serialNumber']])
  const otherCustomer = await post(app, '', newTicketBody({ serialNumber: '0KIOSKTHEIR' }))
  expect([otherCustomer.statusCode, otherCustomer.json().error.code]).toEqual([400, 'ConflictError'])
  for (const reply of [otherModel, otherCustomer]) expect(citedRules(reply)).toEqual(['our choice: ticket-product'])
  expect((await post(app, '', newTicketBody({ serialNumber: '0KIOSKFREE1' }))).statusCode).toBe(200)
})

test('operation 8 returns 200 without symCode2, and symCode3 must still be below symCode1', async () => {
  const { app } = await buildAppointmentApp()
  const { symCode2: _, ...body } = newTicketBody({ serialNumber: '0KIOSKFREE1' })
  const levels = async (more: object) => {
    const reply = await post(app, '', { ...body, ...more })
    return reply.statusCode === 200 ? reply.json().symptoms.map(({ level }: { level: number }) => level) : reply
  }
  expect(await levels({})).toEqual([1])
  expect(await levels({ symCode3: 'K1-A-X', timeSlot: slot.timeSlot.replace('PM', 'AM') })).toEqual([1, 3])
  const wrong = await post(app, '', { ...body, symCode1: 'K2', symCode3: 'K1-A-X' })
  expect(findingsOf(wrong)).toEqual(['InvalidParameter body.symCode3'])
})
