import { Pool } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { buildAppointmentApp, cancel, newTicketBody, post, slot } from '../../../helpers/documents/appointments.ts'
import { listen } from '../../../helpers/build-test-app.ts'
import { asTess } from '../../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../../helpers/records.ts'

const BOOKERS = 1000
const PLACES = 10
const bpNos = Array.from({ length: BOOKERS }, (_, i) => String(9_300_000_000 + i))

async function build() {
  const test = await buildAppointmentApp()
  await test.store.transaction(async (tx) => {
    for (const bpNo of bpNos) await tx.customers.put(newCustomer({ bpNo }))
  })
  return test
}

interface Answer {
  status: number
  body: { error?: { code: string }; srid?: string }
}

function expectExactCapacity(answers: readonly Answer[]): void {
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(PLACES)
  const refused = answers.filter(({ status, body }) => status === 400 && body.error?.code === 'SlotUnavailable')
  expect(refused).toHaveLength(BOOKERS - PLACES)
}

test('of 1,000 parallel tickets for a slot with capacity 10, 990 return 400 SlotUnavailable', async () => {
  const { app, store } = await build()
  const replies = await Promise.all(bpNos.map((bpNo) => post(app, '', newTicketBody({ bpNo }))))
  const answers = replies.map((reply) => ({ status: reply.statusCode, body: reply.json() }))
  expectExactCapacity(answers)
  expect(await store.bookings.count({ slotId: slot.timeSlot })).toBe(PLACES)
  expect(await store.tickets.count({ companyId: 'T100' })).toBe(PLACES)

  const srid = answers.find(({ status }) => status === 200)?.body.srid ?? ''
  await cancel(app, srid)
  const again = await Promise.all(bpNos.slice(-50).map((bpNo) => post(app, '', newTicketBody({ bpNo }))))
  expect(again.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test('of 1,000 parallel tickets over sockets for a slot with capacity 10, 10 succeed', async () => {
  const { app, store } = await build()
  // The number of connections is limited, because client and server run in the same process. With 1,000 connections,
  // each would wait too long for its first byte.
  const pool = new Pool(await listen(app), { connections: 50 })
  onTestFinished(() => pool.close())
  const headers = { ...asTess(), 'content-type': 'application/json' }
  const answers = await Promise.all(
    bpNos.map(async (bpNo): Promise<Answer> => {
      const payload = JSON.stringify(newTicketBody({ bpNo }))
      const path = '/stg/us/dealer/customers/ticket'
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: payload })
      return { status: statusCode, body: (await body.json()) as Answer['body'] }
    }),
  )
  expectExactCapacity(answers)
  expect(await store.bookings.count({ slotId: slot.timeSlot })).toBe(PLACES)
})

test('parallel reschedules fill a slot exactly, and each rejected ticket keeps its previous slot', async () => {
  const { app, store } = await build()
  const srids: string[] = []
  for (let day = 8; day < 14; day++) {
    const date = `2026-05-${String(day).padStart(2, '0')}`
    for (const bpNo of bpNos.slice((day - 8) * PLACES, (day - 7) * PLACES)) {
      const at = { appointmentDate: date, timeSlot: `TSC001-IH-${date.replaceAll('-', '')}-PM` }
      srids.push((await post(app, '', newTicketBody({ bpNo, ...at }))).json().srid)
    }
  }
  const move = { ...slot, rescheduleReasonCode: 'CUSTOMER' }
  const replies = await Promise.all(srids.map((srid) => post(app, '/reschedule', { srid, ...move })))
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(PLACES)
  expect(await store.bookings.count({ slotId: slot.timeSlot })).toBe(PLACES)
  const counts = await Promise.all(srids.map((srid) => store.bookings.count({ srid })))
  expect(counts).toEqual(srids.map(() => 1))
})
