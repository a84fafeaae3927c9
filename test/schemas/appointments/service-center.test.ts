import { expect, test } from 'vitest'
import { serviceCenter } from '../../../src/schemas/appointments/service-center.ts'
import { newServiceCenter } from '../../helpers/appointments.ts'

test('a service center in a time zone that does not exist is refused before a schedule is reckoned with it', () => {
  const zoned = (timeZone: string) => serviceCenter.safeParse(newServiceCenter({ timeZone })).success
  expect(['America/New_York', 'America/Kentucky/Monticello', 'Pacific/Guam', 'UTC'].map(zoned)).not.toContain(false)
  expect(['America/Springfield', 'New York', '', '__proto__', 'x'.repeat(65)].map(zoned)).not.toContain(true)
})
