import { expect, test } from 'vitest'
import { bend } from '../../../helpers/bent-world.ts'
import { createTestTicket, putAppointmentWorld } from '../../../helpers/documents/appointments.ts'
import { asTess } from '../../../helpers/documents/dealer-portal.ts'

/** Its appointment ends at 21:00 universal time on 7 May. */
async function missOne(value: string) {
  const { app, store, get, clockControl } = await bend({ 'missed-closes-after': value })
  await putAppointmentWorld(store)
  const { srid } = await createTestTicket(app)
  return async (now: string) => {
    await clockControl.set({ now: Date.parse(now) })
    const { status, statusDesc, history } = (await get(`dealer/tickets/${srid}`, asTess())).json()
    const list = await get(`dealer/tickets?statusList=E0003&srId=${srid}`, asTess())
    return { status, statusDesc, closedAt: history[1]?.at, counted: list.json().totalCount }
  }
}

const missed = { status: 'E0001', statusDesc: 'Open: appointment missed', closedAt: undefined, counted: 0 }
const closed = { status: 'E0003', statusDesc: 'Closed: no show', counted: 1 }

test.each([
  ['P1D', '2026-05-08T21:00:00.000Z'],
  ['PT0S', '2026-05-07T21:00:00.000Z'],
  ['PT90M', '2026-05-07T22:30:00.000Z'],
  ['P10Y', '2036-05-07T09:00:00.000Z'],
])('missed-closes-after %s: the request and the lists have it open until %s', async (value, closedAt) => {
  const lookAt = await missOne(value)
  const before = await lookAt(new Date(Date.parse(closedAt) - 1).toISOString())
  expect(before).toEqual(value === 'PT0S' ? { ...missed, statusDesc: 'Open: appointment requested' } : missed)
  expect(await lookAt(closedAt)).toEqual({ ...closed, closedAt })
})

test('missed-closes-after never: a request that was missed stays open', async () => {
  const lookAt = await missOne('never')
  expect(await lookAt('2099-01-01T00:00:00Z')).toEqual(missed)
})
