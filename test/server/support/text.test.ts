import { expect, test } from 'vitest'
import { asGuest, asWeb } from '../../helpers/build-test-app.ts'
import { findingsOf, openDealerPortal } from '../../helpers/documents/dealer-portal.ts'
import { newCustomer } from '../../helpers/records.ts'

const BLANK = ' \t\u00a0\u2003 '

test.each([
  ['7', '/dealer/customers', ['firstName', 'lastName', 'address1', 'city']],
  ['8', '/dealer/customers/ticket', ['problemDescription']],
  ['9', '/dealer/customers/ticket/reschedule', ['rescheduleReasonCode']],
  ['13', '/dealer/customers/9100000001', ['firstName', 'lastName', 'address1', 'city']],
  ['22', '/guest/customerFeedback', ['comment']],
  ['33', '/instore/create', ['firstName', 'lastName']],
])('operation %s: a required text of nothing but white space is missing', async (_, path, fields) => {
  const { app } = await openDealerPortal()
  const payload = Object.fromEntries(fields.map((field) => [field, BLANK]))
  const headers = path.startsWith('/guest') ? asGuest() : asWeb('dealer-tess')
  const reply = await app.inject({ method: 'POST', url: `/stg/us${path}`, headers, payload })
  expect(reply.statusCode).toBe(400)
  expect(findingsOf(reply)).toEqual(expect.arrayContaining(fields.map((field) => `MissingParameter body.${field}`)))
})

test('a text with white space around it is kept as sent', async () => {
  const { post, store } = await openDealerPortal()
  await store.transaction((tx) => tx.customers.put(newCustomer()))
  const reply = await post('/customers/9100000001', { firstName: '  Pat ', address1: ' 12 Main Street\t' })
  expect(reply.json().body).toMatchObject({ firstName: '  Pat ', address1: ' 12 Main Street\t' })
})

test('lengths count UTF-16 units, as Java and JavaScript do: an emoji is two', async () => {
  const { app } = await openDealerPortal()
  const headers = asGuest()
  const send = async (count: number) => {
    const payload = { rating: 5, comment: '\u{1f600}'.repeat(count) }
    return (await app.inject({ method: 'POST', url: '/stg/us/guest/customerFeedback', headers, payload })).statusCode
  }
  expect([await send(1000), await send(1001)]).toEqual([200, 400])
})

test('an absent field of a value set is missing, as every other absent field is, and says so', async () => {
  const { post } = await openDealerPortal()
  const reply = await post('/customers/ticket', {})
  expect(findingsOf(reply)).toEqual(
    expect.arrayContaining(['MissingParameter body.serviceType', 'MissingParameter body.appointmentDate']),
  )
  const { details } = reply.json().error as { details: { message: string }[] }
  for (const { message } of details) expect(message).toMatch(/^body\.\w+ is required \(/)
})
