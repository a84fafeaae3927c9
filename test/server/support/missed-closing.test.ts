import { expect, test } from 'vitest'
import { buildTestApp } from '../../helpers/build-test-app.ts'
import { createTestTicket, putAppointmentWorld } from '../../helpers/documents/appointments.ts'
import { asTess } from '../../helpers/documents/dealer-portal.ts'

test('a request with a missed appointment closes a day later, in the ticket and in the list', async () => {
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
