import { expect, test } from 'vitest'
import { citedRules } from '../../helpers/documents/cited-rules.ts'
import { call, SECRET, serviceFault, startBilling } from '../../helpers/documents/soap.ts'

const SECOND = 1000
const THIRTY_DAYS = 30 * 24 * 60 * 60 * SECOND

test('a service token is valid for 29 days, 23:59:59, and expired after 30 days', async () => {
  const server = await startBilling()
  const serviceToken = await server.createServiceToken()
  const ask = () => server.send(call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken }))
  server.clock.advance(THIRTY_DAYS - SECOND)
  expect(await ask()).toMatchObject({ status: 200 })
  server.clock.advance(SECOND)
  expect(await ask()).toEqual(serviceFault(301))
})

test('an expired token is reported before an unknown purchase', async () => {
  const server = await startBilling()
  const serviceToken = await server.createServiceToken()
  server.clock.advance(THIRTY_DAYS)
  expect(await server.send(call('getSubscriptionStatus', { purchaseID: 'nobody', serviceToken }))).toEqual(
    serviceFault(301),
  )
})

test('the response for an expired token cites its rule', async () => {
  const server = await startBilling()
  const serviceToken = await server.createServiceToken()
  server.clock.advance(THIRTY_DAYS)
  const payload = call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken })
  const headers = { 'content-type': 'text/xml' }
  const reply = await server.app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers, payload })
  expect(citedRules(reply)).toEqual(['document 3, section 5, rule 3'])
})

test('the journal explains why a service token from before a reset is unknown', async () => {
  const server = await startBilling()
  const serviceToken = await server.createServiceToken()
  await server.app.inject({ method: 'POST', url: '/_control/reset' })
  const ask = call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken })
  expect(await server.send(ask)).toEqual(serviceFault(300))
  const { message } = (await server.app.inject('/_control/journal?limit=1')).json().entries[0].why
  expect(message).toContain('A reset, or a restart without stored state, deletes all tokens')
})

test('a service token remains valid when a newer one is issued', async () => {
  const server = await startBilling()
  const older = await server.createServiceToken()
  const newer = await server.createServiceToken()
  expect(newer).not.toBe(older)
  for (const serviceToken of [older, newer]) {
    const reply = await server.send(call('getSubscriptionStatus', { purchaseID: 'purchase-active', serviceToken }))
    expect(reply.status).toBe(200)
  }
})

test('the store contains the digest of a service token and not the token itself', async () => {
  const server = await startBilling()
  const token = await server.createServiceToken()
  const [kept, ...others] = await server.store.serviceTokens.find()
  expect(others).toEqual([])
  expect(kept).toMatchObject({ tokenDigest: server.digests.sha256(token), sellerSecret: SECRET })
  expect(JSON.stringify(kept)).not.toContain(token)
})
