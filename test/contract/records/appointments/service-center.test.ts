import { expect, test } from 'vitest'
import { serviceCenter } from '../../../../src/contract/records/appointments/service-center.ts'
import { newServiceCenter } from '../../../helpers/documents/appointments.ts'

test('a service center with an unknown time zone is rejected by its schema', () => {
  const zoned = (timeZone: string) => serviceCenter.safeParse(newServiceCenter({ timeZone })).success
  expect(['America/New_York', 'America/Kentucky/Monticello', 'Pacific/Guam', 'UTC'].map(zoned)).not.toContain(false)
  expect(['America/Springfield', 'New York', '', '__proto__', 'x'.repeat(65)].map(zoned)).not.toContain(true)
})

test('a service center can have at most 70 opening hours, the limit of operation 37', () => {
  const open = (count: number) => {
    const hours = Array.from({ length: count }, () => ({ dayOfWeek: 5, open: '09:00', close: '18:00' }))
    return serviceCenter.safeParse(newServiceCenter({ hours })).success
  }
  expect([open(70), open(71), open(18_000)]).toEqual([true, false, false])
})
