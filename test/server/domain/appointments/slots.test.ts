import { expect, test } from 'vitest'
import { findOfferedSlot, listOfferedSlots } from '../../../../src/server/domain/appointments/slots.ts'
import { type SlotKind, walkInSlotId } from '../../../../src/server/domain/appointments/slots.ts'
import { newServiceCenter } from '../../../helpers/documents/appointments.ts'
import { buildTestPorts } from '../../../helpers/test-ports.ts'

const allNight = newServiceCenter({ hours: [{ dayOfWeek: 7, open: '00:00', close: '06:00' }], slotMinutes: 30 })
/** Two days before the day that most of these tests use. */
const NOW = Date.parse('2026-05-06T00:00:00Z')

async function slotsOf(center = newServiceCenter(), date = '2026-05-08', kind: SlotKind = 'WI', now = NOW) {
  const [day] = await listOfferedSlots(buildTestPorts(), center, kind, { start: date, days: 1 }, now)
  return day?.slots ?? []
}

test('walk-in slots cover the opening hours, and no shorter slot is added before closing', async () => {
  const hours = [{ dayOfWeek: 5, open: '09:30', close: '12:00' }]
  const slots = await slotsOf(newServiceCenter({ hours, slotMinutes: 60 }))
  expect(slots.map(({ startTime, endTime }) => `${startTime}-${endTime}`)).toEqual(['09:30-10:30', '10:30-11:30'])
  expect(slots[0]).toMatchObject({ slotId: 'TSC001-WI-20260508-0930', capacity: 3, remaining: 3 })
  expect(new Date(slots[0]?.startsAt ?? 0).toISOString()).toBe('2026-05-08T13:30:00.000Z')
})

test('opening hours with a lunch break give ordered slots before and after the break', async () => {
  const hours = [
    { dayOfWeek: 5, open: '13:00', close: '15:00' },
    { dayOfWeek: 5, open: '10:00', close: '12:00' },
  ]
  const slots = await slotsOf(newServiceCenter({ hours }))
  expect(slots.map(({ startTime }) => startTime)).toEqual(['10:00', '11:00', '13:00', '14:00'])
})

test('a weekday without opening hours and a closed date have no slots', async () => {
  const weekdays = newServiceCenter({ hours: [{ dayOfWeek: 4, open: '09:00', close: '18:00' }] })
  const closed = newServiceCenter({ closedDates: ['2026-05-08'] })
  for (const kind of ['WI', 'IH'] as const) {
    expect(await slotsOf(weekdays, '2026-05-08', kind)).toEqual([])
    expect(await slotsOf(closed, '2026-05-08', kind)).toEqual([])
  }
})

test('in-home visits have a morning and an afternoon window, each with a capacity', async () => {
  expect(await slotsOf(newServiceCenter(), '2026-05-08', 'IH')).toMatchObject([
    { slotId: 'TSC001-IH-20260508-AM', startTime: '08:00', endTime: '12:00', capacity: 2 },
    { slotId: 'TSC001-IH-20260508-PM', startTime: '13:00', endTime: '17:00', capacity: 10 },
  ])
  expect(await slotsOf(newServiceCenter({ inHome: undefined }), '2026-05-08', 'IH')).toEqual([])
})

test('service centers other than walk-in centers have no walk-in slots', async () => {
  expect(await slotsOf(newServiceCenter({ ascType: 'INHOME' }))).toEqual([])
  expect(await slotsOf(newServiceCenter({ ascType: 'MAILIN' }))).toEqual([])
})

test('the day on which daylight saving time starts has no slots in the skipped hour', async () => {
  const starts = (await slotsOf(allNight, '2026-03-08', 'WI', Date.parse('2026-03-07T00:00:00Z'))).map(
    ({ startTime }) => startTime,
  )
  expect(starts).toEqual(['00:00', '00:30', '01:00', '01:30', '03:00', '03:30', '04:00', '04:30', '05:00', '05:30'])
})

test('slots are contiguous on the day on which daylight saving time starts', async () => {
  const slots = await slotsOf(allNight, '2026-03-08', 'WI', Date.parse('2026-03-07T00:00:00Z'))
  expect(slots.slice(1).map(({ startsAt }) => startsAt)).toEqual(slots.slice(0, -1).map(({ endsAt }) => endsAt))
})

test('the day on which daylight saving time ends has no duplicate or overlapping slots', async () => {
  const slots = await slotsOf(allNight, '2026-11-01', 'WI', Date.parse('2026-10-31T00:00:00Z'))
  expect(slots).toHaveLength(12)
  expect(new Date(slots[3]?.startsAt ?? 0).toISOString()).toBe('2026-11-01T05:30:00.000Z')
  expect(new Date(slots[4]?.startsAt ?? 0).toISOString()).toBe('2026-11-01T07:00:00.000Z')
  expect(slots.slice(1).map(({ startsAt }) => startsAt)).toEqual(slots.slice(0, -1).map(({ endsAt }) => endsAt))
})

test('a slot that starts within the next hour is neither listed nor found', async () => {
  const center = newServiceCenter()
  const noon = Date.parse('2026-05-06T16:00:00Z')
  const found = (startTime: string, now: number) => {
    const slotId = walkInSlotId('TSC001', '2026-05-06', startTime)
    return findOfferedSlot(center, 'WI', { date: '2026-05-06', slotId }, now)?.startTime
  }
  const offered = await slotsOf(center, '2026-05-06', 'WI', noon)
  expect(offered.map(({ startTime }) => startTime)).toEqual(['14:00', '15:00', '16:00', '17:00'])
  expect([found('09:00', noon), found('12:00', noon), found('13:00', noon)]).toEqual([undefined, undefined, undefined])
  expect(found('13:00', noon - 1)).toBe('13:00')
})

test('a slot is found only with its own date and kind', () => {
  const slotId = 'TSC001-WI-20260508-0900'
  const find = (kind: SlotKind, date: string) => findOfferedSlot(newServiceCenter(), kind, { date, slotId }, NOW)
  expect(find('WI', '2026-05-08')?.slotId).toBe(slotId)
  expect(find('WI', '2026-05-09')).toBeUndefined()
  expect(find('IH', '2026-05-08')).toBeUndefined()
})

test('each booking reduces the remaining capacity of its slot, even below zero', async () => {
  const ports = buildTestPorts()
  await ports.store.transaction(async (tx) => {
    for (const [i, slotId] of ['0900', '0900', '1000', '1000', '1000', '1000'].entries()) {
      await tx.bookings.put({
        appointmentId: `A-${i}`,
        srid: `900000000${i}`,
        ascCode: 'TSC001',
        slotId: `TSC001-WI-20260508-${slotId}`,
        date: '2026-05-08',
        startsAt: '2026-05-08T13:00:00Z',
        endsAt: '2026-05-08T14:00:00Z',
        holder: `user-${i}`,
      })
    }
  })
  const [day] = await listOfferedSlots(ports, newServiceCenter(), 'WI', { start: '2026-05-08', days: 1 }, NOW)
  expect(day?.slots.slice(0, 3).map(({ remaining }) => remaining)).toEqual([1, -1, 3])
})

test('overlapping opening hours give each start time only once, ordered by time', async () => {
  const hours = Array.from({ length: 70 }, (_, i) => ({
    dayOfWeek: 5,
    open: `09:${String(i % 2 === 0 ? 0 : 30).padStart(2, '0')}`,
    close: '12:00',
  }))
  const slots = await slotsOf(newServiceCenter({ hours, slotMinutes: 60 }))
  expect(slots.map(({ startTime }) => startTime)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00'])
})
