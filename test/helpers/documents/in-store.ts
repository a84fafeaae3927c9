import type { FastifyInstance } from 'fastify'
import type { Store } from '../../../src/server/ports/store.ts'
import { buildAppointmentApp, KIOSK, newServiceCenter } from './appointments.ts'
import { asApp, asWeb } from '../build-test-app.ts'
import { newProfile } from '../records.ts'

/**
 * Mia's profile has a mobile number. The profiles of Ned and Nell have no mobile number. All three exist only in tests,
 * not in the fixtures.
 */
export const asMia = () => asWeb('test-mia')
export const asNed = () => asWeb('test-ned')
export const asNell = () => asApp('test-nell', 'voyager')

type Headers = Record<string, string>

export async function buildInStoreApp(center = newServiceCenter()) {
  const test = await buildAppointmentApp(center)
  await putUsers(test.store)
  return { ...test, ...callsOf(test.app) }
}

/** No product in the fixtures is of this kind, so the slot is free. */
export function newInStoreBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ascType: 'WALKIN',
    ascCode: 'TSC001',
    appointmentDate: '2026-05-08',
    startTime: '09:00',
    symptoms: ['TS1'],
    modelCode: KIOSK,
    firstName: 'Ned',
    lastName: 'Tester',
    email: 'ned@example.com',
    zipCode: '07660',
    mobilePhone: '201-555-0143',
    ...more,
  }
}

function callsOf(app: FastifyInstance) {
  const call =
    (method: 'GET' | 'DELETE', path: string) =>
    (query: Record<string, string>, headers: Headers = asNed()) =>
      app.inject({ method, url: `/stg/us/instore/${path}`, query, headers })
  const create = (more: Record<string, unknown> = {}, headers: Headers = asNed()) =>
    app.inject({ method: 'POST', url: '/stg/us/instore/create', headers, payload: newInStoreBody(more) })
  return {
    create,
    detail: call('GET', 'detail'),
    cancel: call('DELETE', 'cancel'),
    async createdSrid(more: Record<string, unknown> = {}, headers: Headers = asNed()): Promise<string> {
      const reply = await create(more, headers)
      if (reply.statusCode !== 200) throw new Error(reply.body)
      return reply.json().srid
    },
  }
}

async function putUsers(store: Store): Promise<void> {
  await store.transaction(async (tx) => {
    const users = { 'profile:test-mia': '+12015550111', 'profile:test-ned': undefined, 'guid:test-nell': undefined }
    for (const [userId, mobilePhone] of Object.entries(users)) {
      await tx.profiles.put(newProfile({ userId, mobilePhone, companyId: undefined }))
    }
    const symptom = { description: 'For tests', hasTsg: false }
    await tx.inStoreSymptoms.put({ symptomId: 'TS1', name: 'Test symptom', bespoke: false, ...symptom })
    await tx.inStoreSymptoms.put({ symptomId: 'TS2', name: 'Another', bespoke: true, ...symptom })
  })
}
