import { expect, test } from 'vitest'
import { holidaysOf } from '../../../../src/server/domain/appointments/holidays.ts'

test.each([
  [2026, '01-01 01-19 02-16 05-25 06-19 07-04 09-07 10-12 11-11 11-26 12-25'],
  [2027, '01-01 01-18 02-15 05-31 06-19 07-04 09-06 10-11 11-11 11-25 12-25'],
  [2028, '01-01 01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-11 11-23 12-25'],
])('the holidays of %i are those defined in 5 U.S.C. 6103, including holidays on Saturdays', (year, days) => {
  expect([...holidaysOf(year)]).toEqual(days.split(' ').map((day) => `${year}-${day}`))
})
