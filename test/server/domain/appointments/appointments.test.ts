import { expect, test } from 'vitest'
import { isUnderWay, withStatusAt } from '../../../../src/server/domain/appointments/appointments.ts'
import { openProgress } from '../../../../src/server/domain/progress.ts'
import type { Appointment } from '../../../../src/contract/records/appointments/appointment.ts'

const appointment: Appointment = {
  appointmentId: 'A-1',
  date: '2026-05-08',
  startTime: '13:00',
  endTime: '17:00',
  timeZone: 'America/New_York',
  status: 'REQUESTED',
}

const open = { ...openProgress('2026-05-01T12:00:00.000Z', 'CREATED'), appointment }
const confirmed = { ...open, status: 'E0002' as const, appointment: { ...appointment, status: 'CONFIRMED' as const } }

test.each([
  ['2026-05-08T16:59:59.999Z', false, 'E0001', 'REQUESTED'],
  ['2026-05-08T17:00:00Z', true, 'E0001', 'REQUESTED'],
  ['2026-05-08T20:59:59.999Z', true, 'E0001', 'REQUESTED'],
  ['2026-05-08T21:00:00Z', false, 'E0001', 'MISSED'],
  ['2026-05-09T20:59:59.999Z', false, 'E0001', 'MISSED'],
  ['2026-05-09T21:00:00Z', false, 'E0003', 'MISSED'],
  ['2027-05-08T21:00:00Z', false, 'E0003', 'MISSED'],
])('at %s, isUnderWay returns %s for an open request with status %s and appointment %s', (at, under, ...shown) => {
  const now = Date.parse(at)
  const { status, appointment } = withStatusAt(open, now)
  expect([isUnderWay(open, now), status, appointment.status]).toEqual([under, ...shown])
})

test.each([
  ['2026-05-08T16:59:59.999Z', false],
  ['2026-05-08T17:00:00Z', true],
  ['2026-05-09T20:59:59.999Z', true],
])('at %s, isUnderWay returns %s for a confirmed request, whose status is unchanged', (at, underWay) => {
  const now = Date.parse(at)
  expect([isUnderWay(confirmed, now), withStatusAt(confirmed, now)]).toEqual([underWay, confirmed])
})

test('a confirmed request is completed a day after its appointment ends', () => {
  const at = '2026-05-09T21:00:00.000Z'
  const later = withStatusAt(confirmed, Date.parse('2027-05-08T21:00:00Z'))
  expect(later).toMatchObject({ status: 'E0003', statusReasonCode: 'COMPLETED', statusDesc: 'Closed: completed' })
  expect(later.appointment.status).toBe('COMPLETED')
  expect(later.history.at(-1)).toEqual({ at, from: 'E0002', to: 'E0003', reason: 'COMPLETED' })
  expect(withStatusAt(confirmed, Date.parse(at))).toEqual(later)
})

test.each(['RESCHEDULED', 'CANCELLED', 'COMPLETED'] as const)(
  'an appointment with the status %s is never changed to MISSED',
  (status) => {
    const other = { ...open, appointment: { ...appointment, status } }
    expect(withStatusAt(other, Date.parse('2027-01-01T00:00:00Z'))).toBe(other)
  },
)

test('an appointment that ends in the hour skipped by daylight saving time keeps its length', () => {
  const spring = { ...open, appointment: { ...appointment, date: '2026-03-08', startTime: '01:30', endTime: '02:30' } }
  const shownAt = (at: string) => withStatusAt(spring, Date.parse(at)).appointment.status
  expect([shownAt('2026-03-08T07:29:59Z'), shownAt('2026-03-08T07:30:00Z')]).toEqual(['REQUESTED', 'MISSED'])
})
