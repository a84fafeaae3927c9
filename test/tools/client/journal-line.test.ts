import { expect, test } from 'vitest'
import { toLine } from '../../../src/tools/client/journal-line.ts'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'

test('a line of the journal says why a request was refused, and which names of it were ignored', async () => {
  const { app } = buildTestApp()
  await app.inject({ url: '/stg/us/guest/zipCode?zipcode=07660&colour=red', headers: asGuest() })
  const [entry] = (await app.inject('/_control/journal?limit=1')).json().entries
  const ends =
    /ConstraintViolationError: invalid zip code {2}ignored: query\.zipcode \(near zipCode\), query\.colour\n$/
  expect(toLine(entry)).toMatch(ends)
})
