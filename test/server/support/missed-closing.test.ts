import { expect, test } from 'vitest'
import { confirmTicket } from '../../../src/server/control/tickets.ts'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { createTestTicket, putAppointmentWorld } from '../../helpers/documents/appointments.ts'
import { asTess } from '../../helpers/documents/dealer-portal.ts'

test('a ticket with a missed appointment is closed a day later', async () => {
  const { app, store, clockControl } = buildTestApp()
  await putAppointmentWorld(store)
  // The appointment ends at 21:00 UTC on 7 May.
  const { srid } = await createTestTicket(app)
  const get = async (path: string) => (await app.inject({ url: `/stg/us/dealer/${path}`, headers: asTess() })).json()
  const lookAt = async (now: string) => {
    await clockControl.set({ now: Date.parse(now) })
    const { status, statusDesc, history } = await get(`tickets/${srid}`)
    const { totalCount } = await get(`tickets?statusList=E0003&srId=${srid}`)
    return { status, statusDesc, closedAt: history[1]?.at, counted: totalCount }
  }
  const missed = { status: 'E0001', statusDesc: 'Open: appointment missed', closedAt: undefined, counted: 0 }
  const closedAt = '2026-05-08T21:00:00.000Z'
  expect(await lookAt('2026-05-08T20:59:59.999Z')).toEqual(missed)
  expect(await lookAt(closedAt)).toEqual({ status: 'E0003', statusDesc: 'Closed: no show', counted: 1, closedAt })
})

test('a confirmed ticket is completed a day after its appointment', async () => {
  const test = buildTestApp()
  await putAppointmentWorld(test.store)
  // The appointment ends at 21:00 UTC on 7 May.
  const { srid } = await createTestTicket(test.app)
  await confirmTicket(test, srid)
  const get = async (path: string) =>
    (await test.app.inject({ url: `/stg/us/dealer/${path}`, headers: asTess() })).json()
  const lookAt = async (now: string) => {
    await test.clockControl.set({ now: Date.parse(now) })
    const listed = await Promise.all(
      ['E0002', 'E0003', 'E0002&statusList=E0003&sorts[0].field=status'].map(async (status) => {
        const { items } = await get(`tickets?srId=${srid}&statusList=${status}`)
        return items.map((each: { status: string }) => each.status)
      }),
    )
    const { status, statusReasonCode } = await get(`tickets/${srid}`)
    return [status, statusReasonCode, ...listed]
  }
  expect(await lookAt('2026-05-08T20:59:59.999Z')).toEqual(['E0002', undefined, ['E0002'], [], ['E0002']])
  expect(await lookAt('2026-05-08T21:00:00Z')).toEqual(['E0003', 'COMPLETED', [], ['E0003'], ['E0003']])
})
