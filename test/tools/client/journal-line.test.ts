import { expect, test } from 'vitest'
import { toLine } from '../../../src/tools/client/journal-line.ts'
import { asGuest, buildTestApp } from '../../helpers/build-test-app.ts'
import { call } from '../../helpers/documents/soap.ts'

test('a journal line contains the reason, the rule and the names of ignored parameters', async () => {
  const { app } = buildTestApp()
  await app.inject({ url: '/stg/us/guest/zipCode?zipcode=07660&colour=red', headers: asGuest() })
  const [entry] = (await app.inject('/_control/journal?limit=1')).json().entries
  const ends =
    /ConstraintViolationError: invalid zip code \(query\.zipCode is required, and zipcode is ignored; our choice: required-bodies\) {2}ignored: query\.zipcode \(near zipCode\), query\.colour\n$/
  expect(toLine(entry)).toMatch(ends)
})

test('a journal line does not repeat a finding that the error message already contains', async () => {
  const { app } = buildTestApp()
  const headers = { ...asGuest(), 'content-type': 'application/json' }
  await app.inject({ method: 'POST', url: '/stg/us/guest/customerFeedback', headers, payload: '{"rating":9}' })
  const [entry] = (await app.inject('/_control/journal?limit=1')).json().entries
  expect(toLine(entry).match(/body\.rating/g)).toHaveLength(1)
})

test('a journal line names the faults that affected its request', async () => {
  const { app } = buildTestApp()
  const payload = { match: { operation: 30 }, delayMs: 1, name: 'mine' }
  await app.inject({ method: 'POST', url: '/_control/faults', payload })
  await app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
  const [entry] = (await app.inject('/_control/journal?limit=1')).json().entries
  expect(toLine(entry)).toMatch(/ 200 {2}\S+ ms {2}fault: mine\n$/)
})

test('a journal line names the operation of a SOAP call', async () => {
  const { app } = buildTestApp()
  const payload = call('createServiceToken', { secret: '1' })
  await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml' }, payload })
  const [entry] = (await app.inject('/_control/journal?limit=1')).json().entries
  expect(toLine(entry)).toContain(' POST   /iap/ws/RTCService createServiceToken  500 ')
})

test('a journal line distinguishes filter values that match nothing from ignored fields', async () => {
  const { app } = buildTestApp()
  const payload = { versoin: 1, subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'], capability: 'swich' }] }
  const headers = { authorization: 'Bearer token-home' }
  await app.inject({ method: 'POST', url: '/subscriptions', headers, payload })
  const [entry] = (await app.inject('/_control/journal?limit=1')).json().entries
  const [unknown, unmatched] = [
    'body.versoin (near version)',
    'body.subscriptionFilters[0].capability swich (near switch)',
  ]
  expect(toLine(entry)).toContain(`  ignored: ${unknown}  matches nothing: ${unmatched}\n`)
})
