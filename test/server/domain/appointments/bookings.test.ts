import { expect, test } from 'vitest'
import { releaseBooking, requirePlace, takePlace } from '../../../../src/server/domain/appointments/bookings.ts'
import { walkInSlotId } from '../../../../src/server/domain/appointments/slots.ts'
import type { Store, Transaction } from '../../../../src/server/ports/store.ts'
import { newServiceCenter } from '../../../helpers/documents/appointments.ts'
import { buildTestPorts, START } from '../../../helpers/test-ports.ts'

const DATE = '2026-05-08'
const slotId = walkInSlotId('TSC001', DATE, '11:00')
let drawn = 0

type BookingRequest = Parameters<typeof requirePlace>[1] & Parameters<typeof takePlace>[2]

async function bookSlot(tx: Transaction, request: BookingRequest) {
  return takePlace(tx, await requirePlace(tx, request), request)
}

function book(store: Store, more: Partial<BookingRequest> = {}) {
  drawn++
  const ids = { srid: String(9_000_000_000 + drawn), appointmentId: `A-${drawn}`, holder: `profile:user-${drawn}` }
  const at = {
    center: newServiceCenter(),
    kind: 'WI',
    date: DATE,
    slotId,
    now: Date.parse(START),
  } as const
  return store.transaction((tx) => bookSlot(tx, { ...at, ...ids, ...more }))
}

test('booking a slot returns the appointment in local time and stores the booking in UTC', async () => {
  const { store } = buildTestPorts()
  const appointment = await book(store, { appointmentId: 'A-ONE', holder: 'profile:one' })
  expect(appointment).toEqual({
    appointmentId: 'A-ONE',
    date: DATE,
    startTime: '11:00',
    endTime: '12:00',
    timeZone: 'America/New_York',
    status: 'REQUESTED',
  })
  expect(await store.bookings.get('A-ONE')).toMatchObject({
    slotId,
    holder: 'profile:one',
    startsAt: '2026-05-08T15:00:00.000Z',
    endsAt: '2026-05-08T16:00:00.000Z',
  })
})

test('10 of 1,000 parallel bookings succeed for a slot with capacity 10', async () => {
  const { store } = buildTestPorts()
  const center = newServiceCenter({ slotCapacity: 10 })
  const results = await Promise.allSettled(Array.from({ length: 1000 }, () => book(store, { center })))
  const refusals = results.filter((result) => result.status === 'rejected')
  expect(refusals).toHaveLength(990)
  expect(new Set(refusals.map(({ reason }) => reason.code))).toEqual(new Set(['slot-unavailable']))
  expect(await store.bookings.count({ slotId })).toBe(10)
})

test('a slot that is unknown, too soon or of another kind cannot be booked', async () => {
  const { store } = buildTestPorts()
  const unavailable = { code: 'slot-unavailable', source: 'our choice: slot-unavailable' }
  await expect(book(store, { slotId: walkInSlotId('TSC001', DATE, '11:07') })).rejects.toMatchObject(unavailable)
  await expect(book(store, { slotId: 'constructor' })).rejects.toMatchObject(unavailable)
  await expect(book(store, { date: '2026-05-09' })).rejects.toMatchObject(unavailable)
  await expect(book(store, { kind: 'IH' })).rejects.toMatchObject(unavailable)
  const tooSoon = { code: 'slot-unavailable', source: 'our choice: lead-time' }
  await expect(book(store, { now: Date.parse('2026-05-08T14:30:00Z') })).rejects.toMatchObject(tooSoon)
})

test('a holder cannot have overlapping bookings, even at different centers, but can book adjacent slots', async () => {
  const { store } = buildTestPorts()
  const holder = 'profile:busy'
  await book(store, { holder })
  const other = newServiceCenter({ ascCode: 'TSC002', slotMinutes: 30 })
  const at = (startTime: string) => ({ holder, center: other, slotId: walkInSlotId('TSC002', DATE, startTime) })
  await expect(book(store, { holder })).rejects.toMatchObject({ code: 'conflict' })
  await expect(book(store, at('11:00'))).rejects.toMatchObject({ code: 'conflict' })
  await expect(book(store, at('11:30'))).rejects.toMatchObject({ code: 'conflict' })
  await expect(book(store, at('10:30'))).resolves.toMatchObject({ startTime: '10:30' })
  await expect(book(store, at('12:00'))).resolves.toMatchObject({ startTime: '12:00' })
})

test('of 100 parallel bookings for the same slot by the same holder, only one succeeds', async () => {
  const { store } = buildTestPorts()
  const center = newServiceCenter({ slotCapacity: 30 })
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => book(store, { center, holder: 'bp:1' })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await store.bookings.count({ holder: 'bp:1' })).toBe(1)
})

test('a released slot can be booked again, and a booking can be released only once', async () => {
  const { store } = buildTestPorts()
  const center = newServiceCenter({ slotCapacity: 1 })
  const { appointmentId } = await book(store, { center })
  await expect(book(store, { center })).rejects.toMatchObject({ code: 'slot-unavailable' })
  expect(await store.transaction((tx) => releaseBooking(tx, appointmentId))).toBe(true)
  expect(await store.transaction((tx) => releaseBooking(tx, appointmentId))).toBe(false)
  await expect(book(store, { center })).resolves.toBeDefined()
})

test('releasing a slot and booking it again in the same transaction succeeds', async () => {
  const { store } = buildTestPorts()
  const center = newServiceCenter({ slotCapacity: 1 })
  const { appointmentId } = await book(store, { center, holder: 'bp:1' })
  const request = {
    center,
    kind: 'WI',
    date: DATE,
    slotId,
    holder: 'bp:1',
    now: Date.parse(START),
  } as const
  const exchange = { ...request, srid: '9000000999' }
  await store.transaction(async (tx) => {
    await releaseBooking(tx, appointmentId)
    await bookSlot(tx, { ...exchange, appointmentId: 'A-NEW' })
  })
  expect((await store.bookings.find({ where: { slotId } })).map((each) => each.appointmentId)).toEqual(['A-NEW'])
})
