import type { FastifyInstance } from 'fastify'
import { openProgress } from '../../../src/server/domain/progress.ts'
import type { Store } from '../../../src/server/ports/store.ts'
import type { RecordOf } from '../../../src/contract/records/collections.ts'
import { buildTestApp, type TestApp } from '../build-test-app.ts'
import { asTess } from './dealer-portal.ts'
import { newCustomer, newProductModel, newStore, putTestDealers } from '../records.ts'

/** No product in the fixtures has this subtype, so bookings in the fixtures do not use the capacity of this center. */
export function newServiceCenter(more: Partial<RecordOf<'serviceCenters'>> = {}): RecordOf<'serviceCenters'> {
  return {
    ascCode: 'TSC001',
    ascType: 'WALKIN',
    ascName: 'Test Service Center',
    phoneNumber: '+12015550198',
    address1: '2 Test Plaza',
    city: 'Ridgefield Park',
    state: 'NJ',
    zipCode: '07660',
    lat: 40.8562,
    lng: -74.023,
    timeZone: 'America/New_York',
    hours: [1, 2, 3, 4, 5, 6, 7].map((dayOfWeek) => ({ dayOfWeek, open: '09:00', close: '18:00' })),
    closedDates: [],
    slotMinutes: 60,
    slotCapacity: 3,
    subTypes: ['KIOSK'],
    inHome: { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 2, PM: 10 } },
    ...more,
  }
}

export const KIOSK = 'VM-KIOSK1'

/** Adds two dealers, each with a customer and a product model of this subtype. */
export async function putAppointmentWorld(store: Store, center = newServiceCenter()): Promise<void> {
  await putTestDealers(store)
  await store.transaction(async (tx) => {
    await tx.customers.put(newCustomer())
    await tx.customers.put(newCustomer({ bpNo: '9200000001', companyId: 'T200' }))
    await tx.productModels.put(newProductModel({ modelCode: KIOSK, subType: 'KIOSK' }))
    await tx.serviceCenters.put(center)
    await tx.stores.put(newStore())
    for (const [code, level, parentCode] of [
      ['K1', 1, null],
      ['K1-A', 2, 'K1'],
      ['K1-A-X', 3, 'K1-A'],
      ['K2', 1, null],
      ['K2-A', 2, 'K2'],
    ] as const) {
      const names = { E: `Symptom ${code}` }
      await tx.symptoms.put({ code, subType: 'KIOSK', level, parentCode, names, displayOrder: 1 })
    }
  })
}

export async function buildAppointmentApp(center = newServiceCenter()): Promise<TestApp> {
  const test = buildTestApp()
  await putAppointmentWorld(test.store, center)
  return test
}

/** These slots are on the day after the start of the test clock, or later. */
export const slot = { appointmentDate: '2026-05-07', timeSlot: 'TSC001-IH-20260507-PM' }
export const laterSlot = { appointmentDate: '2026-05-08', timeSlot: 'TSC001-IH-20260508-AM' }

export function newTicketBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    bpNo: '9100000001',
    modelCode: KIOSK,
    serialNumber: '0KIOSK12345',
    serviceType: 'IH',
    symCode1: 'K1',
    symCode2: 'K1-A',
    problemDescription: 'No picture',
    ascCode: 'TSC001',
    ...slot,
    ...more,
  }
}

export function post(app: FastifyInstance, path: string, payload: object, headers: Record<string, string> = asTess()) {
  return app.inject({ method: 'POST', url: `/stg/us/dealer/customers/ticket${path}`, headers, payload })
}

export async function createTestTicket(app: FastifyInstance, more: Record<string, unknown> = {}) {
  const reply = await post(app, '', newTicketBody(more))
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return reply.json()
}

export function cancel(app: FastifyInstance, srid: string, headers: Record<string, string> = asTess()) {
  return app.inject({ method: 'DELETE', url: `/stg/us/dealer/customers/ticket/${srid}`, headers })
}

/** An open request whose appointment is in the first walk-in slot on 8 May. */
export function newInStoreRequest(more: Partial<RecordOf<'inStoreRequests'>> = {}): RecordOf<'inStoreRequests'> {
  const at = '2026-05-01T12:00:00.000Z'
  const { ascCode, ascType, ascName, phoneNumber, address1, city, state, zipCode, timeZone } = newServiceCenter()
  const site = { ascCode, ascType, ascName, phoneNumber, address1, city, state, zipCode, timeZone }
  const times = { date: '2026-05-08', startTime: '09:00', endTime: '10:00', timeZone }
  return {
    ...openProgress(at, 'created'),
    srid: '9410000101',
    ticketNumber: '9720000101',
    serviceType: 'CI',
    userId: 'profile:test-user',
    ascType,
    ascCode,
    appointmentDate: '2026-05-08',
    startTime: '09:00',
    symptoms: ['IS-1'],
    modelCode: KIOSK,
    firstName: 'Pat',
    lastName: 'Doe',
    email: 'pat@example.com',
    zipCode: '07660',
    registered: false,
    store: site,
    appointment: { appointmentId: 'A-IN-STORE', ...times, status: 'REQUESTED' },
    images: [],
    createdAt: at,
    updatedAt: at,
    cancelKeyDigest: 'a'.repeat(64),
    ...more,
  }
}
