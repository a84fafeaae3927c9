import { expect, test } from 'vitest'
import { completeTicket, confirmTicket } from '../../../../src/server/control/tickets.ts'
import {
  buildAppointmentApp,
  cancel,
  createTestTicket,
  newInStoreRequest,
} from '../../../helpers/documents/appointments.ts'

test('confirming a ticket sets it in process, and completing it releases the slot', async () => {
  const { app, ...ports } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  expect(await confirmTicket(ports, srid)).toMatchObject({ status: 'E0002', appointment: { status: 'CONFIRMED' } })
  expect(await ports.store.bookings.count({ srid })).toBe(1)
  expect(await completeTicket(ports, srid)).toMatchObject({
    status: 'E0003',
    statusReasonCode: 'COMPLETED',
    appointment: { status: 'COMPLETED' },
  })
  expect(await ports.store.bookings.count({ srid })).toBe(0)
  const ticket = await ports.store.tickets.get(srid)
  expect(ticket?.history.map(({ from, to }) => [from, to])).toEqual([
    [null, 'E0001'],
    ['E0001', 'E0002'],
    ['E0002', 'E0003'],
  ])
})

test('a confirmed or completed in-store request still has the digest of its cancellation key', async () => {
  const { store, ...rest } = await buildAppointmentApp()
  const { srid } = newInStoreRequest()
  await store.transaction((tx) => tx.inStoreRequests.put(newInStoreRequest()))
  expect(await confirmTicket({ store, ...rest }, srid)).toMatchObject({ status: 'E0002' })
  expect(await store.inStoreRequests.get(srid)).toHaveProperty('cancelKeyDigest')
  expect(await completeTicket({ store, ...rest }, srid)).toMatchObject({ status: 'E0003' })
  expect(await store.inStoreRequests.get(srid)).toHaveProperty('cancelKeyDigest')
})

test('completing an open ticket and confirming a confirmed or closed ticket are rejected as conflicts', async () => {
  const { app, ...ports } = await buildAppointmentApp()
  const { srid } = await createTestTicket(app)
  const conflict = { code: 'conflict', source: 'our choice: ticket-statuses' }
  await expect(completeTicket(ports, srid)).rejects.toMatchObject(conflict)
  await confirmTicket(ports, srid)
  await expect(confirmTicket(ports, srid)).rejects.toMatchObject(conflict)
  await cancel(app, srid)
  await expect(confirmTicket(ports, srid)).rejects.toMatchObject(conflict)
  await expect(completeTicket(ports, srid)).rejects.toMatchObject(conflict)
})

test('confirming or completing an unknown ticket is rejected as not found', async () => {
  const ports = await buildAppointmentApp()
  await expect(confirmTicket(ports, '9999999999')).rejects.toMatchObject({ code: 'not-found' })
  await expect(completeTicket(ports, 'x')).rejects.toMatchObject({ code: 'not-found' })
})
