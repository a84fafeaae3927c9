import { expect, test } from 'vitest'
import type { Lifecycle } from '../../../../src/contract/records/progress.ts'
import { openWithChoices } from '../../../helpers/open-with-choices.ts'
import type { TestAppOptions } from '../../../helpers/build-test-app.ts'
import {
  cancel,
  createTestTicket,
  laterSlot,
  newServiceCenter,
  post,
  putAppointmentWorld,
  slot,
} from '../../../helpers/documents/appointments.ts'
import { asTess } from '../../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../../helpers/records.ts'
import { readParts } from '../../../helpers/documents/snapshots.ts'

const morning = { ...slot, timeSlot: 'TSC001-IH-20260507-AM' }
const auto = { 'ticket-progress': 'auto' }

/** Opens a world that starts on Wednesday noon in New York. The center is open from nine to six every day. */
async function openMoving(choices: object = auto, options: TestAppOptions = {}) {
  const test = await openWithChoices({ ...choices }, options)
  await putAppointmentWorld(
    test.store,
    newServiceCenter({ inHome: { radiusMiles: 20, subTypes: ['KIOSK'], capacity: { AM: 2, PM: 1 } } }),
  )
  const at = (now: string) => test.clockControl.set({ now: Date.parse(now) })
  const look = async (srid: string) => (await test.get(`dealer/tickets/${srid}`, asTess())).json()
  const create = async (lifecycle: Partial<Lifecycle>, more: object = {}) => {
    const { srid } = await createTestTicket(test.app, { ...morning, ...more })
    const ticket = (await test.store.tickets.get(srid))!
    const drawn = { from: ticket.createdAt, minutes: 240, chance: 'PLAIN' as const }
    await test.store.transaction((tx) => tx.tickets.put({ ...ticket, lifecycle: { ...drawn, ...lifecycle } }))
    return srid as string
  }
  const mails = async (srid: string) =>
    (await test.store.outbox.find({ where: { srid }, orderBy: { field: 'sentAt', direction: 'asc' } })).map(
      ({ sentAt, subject }) => `${sentAt} ${subject.split(' ').slice(4).join(' ')}`,
    )
  return { ...test, at, look, create, mails }
}

const reasons = (ticket: { history: { at: string; reason: string }[] }) =>
  ticket.history.map(({ at, reason }) => `${at} ${reason}`)

test('a ticket is confirmed during working hours and completed when its appointment ends', async () => {
  const { at, look, create, mails, store } = await openMoving()
  const srid = await create({}, slot)
  await at('2026-05-06T19:59:59.999Z')
  expect(await look(srid)).toMatchObject({ status: 'E0001' })
  await at('2026-05-06T20:00:00Z')
  expect(await look(srid)).toMatchObject({ status: 'E0002', appointment: { status: 'CONFIRMED' } })
  await at('2026-06-01T00:00:00Z')
  const closed = await look(srid)
  expect(closed).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED', appointment: { status: 'COMPLETED' } })
  expect(reasons(closed).slice(1)).toEqual(['2026-05-06T20:00:00.000Z CONFIRMED', '2026-05-07T21:00:00.000Z COMPLETED'])
  expect(closed).not.toHaveProperty('lifecycle')
  expect(await mails(srid)).toEqual(['2026-05-06T20:00:00.000Z is confirmed', '2026-05-07T21:00:00.000Z is completed'])
  expect(await store.bookings.count({ srid })).toBe(0)
})

test('a ticket is confirmed by day, at the latest when its appointment starts', async () => {
  const { at, look, create } = await openMoving()
  await at('2026-05-06T21:00:00Z')
  const early = await create({ minutes: 240 })
  const late = await create({ minutes: 120 }, { ...laterSlot, bpNo: '9100000001' })
  await at('2026-05-08T00:00:00Z')
  expect(reasons(await look(early))[1]).toBe('2026-05-07T12:00:00.000Z CONFIRMED')
  expect(reasons(await look(late))[1]).toBe('2026-05-07T14:00:00.000Z CONFIRMED')
})

test('a ticket closed by the vendor has the reason CANCELLED_BY_VENDOR and releases its slot', async () => {
  const { at, look, create, mails, store } = await openMoving()
  const srid = await create({ chance: 'CLOSED', minutes: 1 })
  await at('2026-05-06T16:01:00Z')
  expect(await look(srid)).toMatchObject({
    status: 'E0003',
    statusReasonCode: 'CANCELLED_BY_VENDOR',
    statusDesc: 'Closed: cancelled by the vendor',
    history: [{}, { from: 'E0001', to: 'E0003', reason: 'CANCELLED_BY_VENDOR' }],
  })
  expect(await mails(srid)).toEqual(['2026-05-06T16:01:00.000Z is cancelled'])
  expect(await store.bookings.count({ srid })).toBe(0)
})

test('the appointment of a late technician moves to the next free window of the day', async () => {
  const { at, look, create, mails, store } = await openMoving()
  await store.transaction((tx) => tx.customers.put(newCustomer({ bpNo: '9100000009' })))
  const first = await create({ chance: 'LATE' })
  const second = await create({ chance: 'LATE' }, { bpNo: '9100000009' })
  const before = await look(first)
  await at('2026-05-07T12:00:00Z')
  const [late, onTime] = [await look(first), await look(second)].sort((a) => (reasons(a).length === 3 ? -1 : 1))
  expect(late).toMatchObject({
    status: 'E0002',
    appointment: { date: '2026-05-07', startTime: '13:00', status: 'CONFIRMED' },
  })
  expect(reasons(late)[2]).toBe('2026-05-07T12:00:00.000Z TECHNICIAN_LATE')
  expect(late.previousAppointments).toEqual([])
  if (late.srid === first) expect(late.appointment.appointmentId).toBe(before.appointment.appointmentId)
  expect(onTime).toMatchObject({ appointment: { startTime: '08:00' } })
  expect(await store.bookings.count({ slotId: 'TSC001-IH-20260507-PM' })).toBe(1)
  await at('2026-05-08T00:00:00Z')
  expect(reasons(await look(late.srid)).at(-1)).toBe('2026-05-07T21:00:00.000Z COMPLETED')
  expect(reasons(await look(onTime.srid)).at(-1)).toBe('2026-05-07T16:00:00.000Z COMPLETED')
  expect(await mails(late.srid)).toContain('2026-05-07T12:00:00.000Z is delayed')
})

test('a ticket that waits for parts moves to the first free window after 7 days', async () => {
  const { at, look, create, mails } = await openMoving()
  const srid = await create({ chance: 'PARTS' })
  const { appointmentId } = (await look(srid)).appointment
  await at('2026-05-07T16:00:00Z')
  const waiting = await look(srid)
  expect(waiting).toMatchObject({
    status: 'E0002',
    appointment: { date: '2026-05-14', startTime: '08:00', status: 'CONFIRMED' },
    previousAppointments: [{ appointmentId, status: 'RESCHEDULED' }],
  })
  expect(waiting.appointment.appointmentId).not.toBe(appointmentId)
  expect(reasons(waiting).at(-1)).toBe('2026-05-07T16:00:00.000Z PARTS_ORDERED')
  await at('2026-06-01T00:00:00Z')
  expect(reasons(await look(srid)).at(-1)).toBe('2026-05-14T16:00:00.000Z COMPLETED')
  expect((await mails(srid)).map((mail) => mail.slice(25))).toEqual(['is confirmed', 'waits for parts', 'is completed'])
})

test('a rescheduled ticket must be confirmed again, and a cancelled ticket does not progress', async () => {
  const { app, at, look, create } = await openMoving()
  const srid = await create({ minutes: 60 })
  await at('2026-05-06T17:00:00Z')
  expect((await look(srid)).status).toBe('E0002')
  const moved = await post(app, '/reschedule', { srid, ...laterSlot, rescheduleReasonCode: 'LATER' })
  expect(moved.json()).toMatchObject({ status: 'E0001' })
  await at('2026-05-06T18:00:00Z')
  expect((await look(srid)).status).toBe('E0002')
  expect((await cancel(app, srid)).json()).toMatchObject({ success: true })
  await at('2026-06-01T00:00:00Z')
  expect(await look(srid)).toMatchObject({ status: 'E0003', statusReasonCode: 'CANCELLED' })
})

test('open tickets progress after ticket-progress is set to auto, unless their appointment was missed', async () => {
  const { app, at, look } = await openMoving({ 'ticket-progress': 'off' })
  const { srid } = await createTestTicket(app, morning)
  await at('2026-05-07T13:00:00Z')
  expect((await look(srid)).status).toBe('E0001')
  const applyProfile = (choices: object) =>
    app.inject({ method: 'PUT', url: '/_control/profile', payload: { profile: 'y', choices } })
  await applyProfile(auto)
  await at('2026-05-07T15:59:59Z')
  const [, moved] = (await look(srid)).history
  expect(moved.at).toBe('2026-05-07T13:00:00.000Z')
  const missed = (await createTestTicket(app, laterSlot)).srid
  await applyProfile({})
  await at('2026-05-08T17:00:00Z')
  await applyProfile(auto)
  expect((await look(missed)).statusDesc).toBe('Open: appointment missed')
  await at('2026-05-09T16:00:00Z')
  expect(await look(missed)).toMatchObject({ status: 'E0003', statusReasonCode: 'NO_SHOW' })
})

test('tickets with the same seed progress identically, even in a fork or after a restore', async () => {
  const run = async (seed: string, hours: number) => {
    const { app, clockControl } = await openWithChoices(auto, { seed })
    await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'fork', from: 'default' } })
    const snapshot = (await app.inject('/_control/snapshot')).payload
    for (let passed = 0; passed < 40 * 24; passed += hours) {
      await clockControl.advance(hours * 3_600_000)
      await app.inject('/_control/status')
    }
    const read = async (world = '') => {
      const { records } = readParts((await app.inject(`${world}/_control/snapshot`)).payload)
      const lists: object[][] = [records.tickets, records.inStoreRequests, records.bookings, records.outbox]
      return lists.map((list) => list.map((record) => JSON.stringify(record)).sort())
    }
    const records = await read()
    const headers = { 'content-type': 'application/json' }
    await app.inject({ method: 'POST', url: '/w/fork/_control/clock/advance', headers, payload: { duration: 'P40D' } })
    const ofFork = await read('/w/fork')
    await app.inject({ method: 'PUT', url: '/_control/snapshot', headers, payload: snapshot })
    await app.inject({ method: 'POST', url: '/_control/clock/advance', headers, payload: { duration: 'P40D' } })
    return [records, ofFork, await read()]
  }
  const [often, fork, restored] = await run('a', 6)
  const [once] = await run('a', 40 * 24)
  expect(once).toEqual(often)
  expect(fork).toEqual(often)
  expect(restored).toEqual(often)
  const [other] = await run('b', 40 * 24)
  expect(other).not.toEqual(often)
  expect(often![3]!.length).toBeGreaterThan(50)
})

test('most tickets progress as planned, and some are late, wait or are closed', async () => {
  const { app, store, clockControl } = await openWithChoices(auto)
  await clockControl.advance(1)
  await app.inject('/_control/status')
  const tickets = [...(await store.tickets.find()), ...(await store.inStoreRequests.find())]
  const chances = tickets.flatMap(({ lifecycle }) => (lifecycle ? [lifecycle.chance] : []))
  expect(chances.length).toBeGreaterThan(40)
  expect(new Set(chances)).toEqual(new Set(['PLAIN', 'PARTS', 'LATE', 'CLOSED']))
  expect(chances.filter((chance) => chance === 'PLAIN').length / chances.length).toBeGreaterThan(0.5)
})

test('GET /_control/progress lists the upcoming changes by time', async () => {
  const { app, create, at } = await openMoving()
  const srid = await create({ minutes: 60 })
  const ask = async () => (await app.inject('/_control/progress?limit=100')).json()
  const { items, totalCount } = await ask()
  expect(items.length).toBe(Math.min(100, totalCount))
  expect(items.map((each: { at: string }) => each.at)).toEqual(items.map((each: { at: string }) => each.at).sort())
  const own = (all: { srid: string }[]) => all.find((each) => each.srid === srid)
  expect(own(items)).toMatchObject({ at: '2026-05-06T17:00:00.000Z', move: 'CONFIRMED' })
  await at('2026-05-06T17:00:00Z')
  expect(own((await ask()).items)).toMatchObject({ at: '2026-05-07T16:00:00.000Z', move: 'COMPLETED' })
  await app.inject({ method: 'DELETE', url: '/_control/profile' })
  expect(await ask()).toEqual({ items: [], totalCount: 0 })
})

test('zip code and wallet requests do not wait for ticket progress, unlike ticket requests', async () => {
  const { app, worlds } = await openMoving()
  const { progress } = worlds.find('default')!.state
  let release = () => {}
  progress.turn = new Promise((resolve) => (release = resolve))
  const wallet = '/wallet/cmn/v2.0/device/available?modelName=VM-S100&serviceType=WALLET'
  for (const url of ['/health/live', '/metrics', '/docs', '/', '/stg/us/guest/zipCode?zipCode=07660', wallet]) {
    const headers = { ...asTess(), partnercode: 'partner-1001' }
    expect([url, (await app.inject({ url, headers })).statusCode]).toEqual([url, 200])
  }
  let answered = false
  const list = app.inject({ url: '/stg/us/dealer/tickets', headers: asTess() }).then((reply) => {
    answered = true
    return reply
  })
  await new Promise(setImmediate)
  expect(answered).toBe(false)
  release()
  expect((await list).statusCode).toBe(200)
})
