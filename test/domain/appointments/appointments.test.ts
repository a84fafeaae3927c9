import { expect, test } from 'vitest'
import { isMissed, isUnderWay, toShown } from '../../../src/domain/appointments/appointments.ts'
import type { Appointment } from '../../../src/schemas/appointments/appointment.ts'

const appointment: Appointment = {
  appointmentId: 'A-1',
  date: '2026-05-08',
  startTime: '13:00',
  endTime: '17:00',
  timeZone: 'America/New_York',
  status: 'CONFIRMED',
}

test.each([
  ['2026-05-08T16:59:59.999Z', false, 'CONFIRMED'],
  ['2026-05-08T17:00:00Z', true, 'CONFIRMED'],
  ['2026-05-08T20:59:59.999Z', true, 'CONFIRMED'],
  ['2026-05-08T21:00:00Z', false, 'MISSED'],
  ['2027-05-08T21:00:00Z', false, 'MISSED'],
])('at %s an appointment from one to five in New York is under way: %s, and shown as %s', (at, underWay, status) => {
  const now = Date.parse(at)
  expect([isUnderWay(appointment, now), toShown({ appointment }, now).appointment.status]).toEqual([underWay, status])
})

test.each(['RESCHEDULED', 'CANCELLED', 'COMPLETED'] as const)('one that is %s is never missed', (status) => {
  expect(isMissed({ ...appointment, status }, Date.parse('2027-01-01T00:00:00Z'))).toBe(false)
})

test('one whose local end a daylight-saving day leaves out ends as long after its start as it says', () => {
  const spring = { ...appointment, date: '2026-03-08', startTime: '01:30', endTime: '02:30' }
  expect(isMissed(spring, Date.parse('2026-03-08T07:29:59Z'))).toBe(false)
  expect(isMissed(spring, Date.parse('2026-03-08T07:30:00Z'))).toBe(true)
})
