import { expect, test } from 'vitest'
import { readConfig } from '../../../../src/server/config.ts'
import { createRuntime } from '../../../../src/server/runtime.ts'
import { FIXTURES } from '../../../../src/server/package-files.ts'
import { citedRules } from '../../../helpers/documents/cited-rules.ts'
import { openWithChoices } from '../../../helpers/open-with-choices.ts'
import { asApp, asGuest, asWeb } from '../../../helpers/build-test-app.ts'

const zip = '/stg/us/guest/zipCode?zipCode=07660'
const three = { 'rate-limit': { requests: 3, per: 'PT1M' } }

async function limit(choices: Record<string, unknown> = three) {
  const { app, ...world } = await openWithChoices(choices)
  const ask = async (headers: Record<string, string>, url = zip) => (await app.inject({ url, headers })).statusCode
  return { ...world, app, ask }
}

test('with rate-limit set, requests beyond the limit return 429 until the window ends', async () => {
  const { app, clockControl } = await limit()
  const call = async (): Promise<unknown[]> => {
    const { statusCode, headers } = await app.inject({ url: zip, headers: asWeb('web-alice') })
    return [statusCode, headers['ratelimit-policy'], headers['ratelimit'], headers['retry-after']]
  }
  const policy = '"default";q=3;w=60'
  expect(await call()).toEqual([200, policy, '"default";r=2;t=60', undefined])
  await clockControl.advance(10_500)
  expect(await call()).toEqual([200, policy, '"default";r=1;t=50', undefined])
  expect(await call()).toEqual([200, policy, '"default";r=0;t=50', undefined])
  for (let i = 0; i < 3; i++) expect(await call()).toEqual([429, policy, '"default";r=0;t=50', '50'])
  await clockControl.advance(49_499)
  expect((await call())[0]).toBe(429)
  await clockControl.advance(1)
  expect(await call()).toEqual([200, policy, '"default";r=2;t=60', undefined])
})

test('with headers: false in rate-limit, a 429 response has Retry-After but no RateLimit headers', async () => {
  const { app } = await limit({ 'rate-limit': { requests: 1, per: 'PT0.5S', headers: false } })
  const call = () => app.inject({ url: zip, headers: asWeb('web-alice') })
  expect((await call()).headers).not.toHaveProperty('ratelimit')
  const refused = await call()
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
  expect(refused.headers).not.toHaveProperty('ratelimit-policy')
  expect(refused.body).toContain('more than 1 request per PT0.5S')
  expect(citedRules(refused)).toEqual(['our choice: rate-limit'])
})

test('changing the limit resets the counters of all callers', async () => {
  const { app, ask } = await limit()
  for (let i = 0; i < 4; i++) await ask(asWeb('web-alice'))
  const payload = { profile: 'y', choices: { 'rate-limit': { requests: 2, per: 'PT1M' } } }
  await app.inject({ method: 'PUT', url: '/_control/profile', payload })
  const statuses = [await ask(asWeb('web-alice')), await ask(asWeb('web-alice')), await ask(asWeb('web-alice'))]
  expect(statuses).toEqual([200, 200, 429])
})

test('rate-limit is none by default, and responses have no rate limit headers', async () => {
  const { app } = await limit({})
  const reply = await app.inject({ url: zip, headers: asWeb('web-alice') })
  expect([reply.headers['ratelimit'], reply.headers['ratelimit-policy']]).toEqual([undefined, undefined])
})

test('the rate limit counts callers by identity, bearer user, partner code or address', async () => {
  const { ask, app } = await limit({ 'rate-limit': { requests: 1, per: 'PT1H' } })
  const nearest = '/stg/us/instore/noauth/nearest?zipCode=07660'
  const wallet = '/wallet/cmn/v2.0/device/available?serviceType=WALLET&modelName=VM-S100'
  const subscription = '/subscriptions/x'
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  expect(await ask(asWeb('web-alice'))).toBe(200)
  expect(await ask({ ...asGuest(), cookie: 'vendorus-profId=web-alice' })).toBe(429)
  expect(await ask(asApp('web-alice'))).toBe(200)
  expect(await ask(asWeb('web-bob'))).toBe(200)
  expect(await ask(asGuest())).toBe(200)
  expect(await ask(asWeb('web-carl'), nearest)).toBe(429)
  expect(await ask(bearer('token-home'), subscription)).toBe(404)
  expect(await ask(bearer('token-guest'), subscription)).toBe(429)
  expect(await ask(bearer('token-other'), subscription)).toBe(404)
  expect(await ask(bearer('token-expired'), subscription)).toBe(429)
  const known = await app.inject({ url: wallet, headers: { partnerCode: 'partner-1001' } })
  expect(known.statusCode).not.toBe(429)
  const refused = await app.inject({ url: wallet, headers: { partnerCode: 'partner-1001' } })
  expect([refused.statusCode, refused.json().resultCode]).toEqual([429, 'CMN5N9001'])
  const soap = await app.inject({ method: 'POST', url: '/iap/ws/RTCService', headers: { 'content-type': 'text/xml' } })
  expect([soap.statusCode, soap.headers['content-type']]).toEqual([429, 'text/plain; charset=utf-8'])
  expect(soap.body.length).toBeLessThan(100)
  for (let i = 0; i < 3; i++) expect(await ask({}, '/_control/clock')).toBe(200)
  for (let i = 0; i < 3; i++) expect(await ask({}, '/health/ready')).toBe(200)
})

test.each([
  [{ requests: 0, per: 'PT1M' }, 'rate-limit.requests must be at least 1'],
  [{ requests: 1, per: 'PT0S' }, 'rate-limit.per must be an ISO 8601 duration'],
  [{ requests: 1 }, 'rate-limit.per is required'],
  [{ requests: 1, per: 'PT1M', header: true }, 'the nearest is headers'],
  ['nome', 'the nearest is none'],
  [7, 'rate-limit must be none'],
])('the rate-limit value %j is rejected', async (value, words) => {
  await expect(openWithChoices({ 'rate-limit': value })).rejects.toThrow(words)
})

test('RATE_LIMIT is the default for worlds whose profile does not set a limit', async () => {
  const worlds = await createRuntime(readConfig({}, { RATE_LIMIT: '7' }), FIXTURES)
  const { world, setProfile } = worlds.find('default')!
  expect(world.choices['rate-limit']).toEqual({ requests: 7, per: 'PT1M' })
  await setProfile({ profile: 'x', choices: { 'rate-limit': 'none' } })
  expect(world.choices['rate-limit']).toBe('none')
  await worlds.close()
})
