import { expect, test } from 'vitest'
import { citedRules } from '../../../helpers/documents/cited-rules.ts'
import { openWithChoices } from '../../../helpers/open-with-choices.ts'
import { asApp, asErin, asGuest, asWeb } from '../../../helpers/build-test-app.ts'

const zip = '/stg/us/guest/zipCode?zipCode=07660'

async function bound(lifetime: string) {
  const { app, ...world } = await openWithChoices({ 'session-lifetime': lifetime })
  const ask = async (headers: Record<string, string>, url = zip) => (await app.inject({ url, headers })).statusCode
  const renew = (identity: unknown) => app.inject({ method: 'POST', url: '/_control/sessions', payload: { identity } })
  return { ...world, app, ask, renew }
}

test('with session-lifetime set to PT1H, an identity is rejected after an hour until renewed', async () => {
  const { app, ask, renew, clockControl } = await bound('PT1H')
  expect(await ask(asWeb('web-alice'))).toBe(200)
  await clockControl.advance(3_599_999)
  expect([await ask(asWeb('web-alice')), await ask(asWeb('web-bob'))]).toEqual([200, 200])
  await clockControl.advance(1)
  const over = await app.inject({ url: zip, headers: asWeb('web-alice') })
  expect([over.statusCode, citedRules(over)]).toEqual([401, ['our choice: session-lifetime']])
  expect([await ask(asWeb('web-bob')), await ask(asGuest())]).toEqual([200, 200])
  expect(await ask(asWeb('web-alice'), '/stg/us/instore/noauth/nearest?zipCode=07660')).toBe(200)
  const renewed = await renew('profile:web-alice')
  expect([renewed.statusCode, renewed.json()]).toEqual([
    200,
    { identity: 'profile:web-alice', since: '2026-05-06T17:00:00.000Z', endsAt: '2026-05-06T18:00:00.000Z' },
  ])
  expect(await ask(asWeb('web-alice'))).toBe(200)
  await clockControl.advance(3_600_000)
  expect(await ask(asWeb('web-alice'))).toBe(401)
})

test('web profiles, apps and dealers have separate sessions, even if their IDs are equal', async () => {
  const { ask, clockControl, renew } = await bound('PT1S')
  const stores = '/stg/us/dealer/stores'
  expect([await ask(asErin(), stores), await ask(asApp('same')), await ask(asWeb('same'))]).toEqual([200, 200, 200])
  await clockControl.advance(1000)
  expect([await ask(asErin(), stores), await ask(asApp('same')), await ask(asWeb('same'))]).toEqual([401, 401, 401])
  expect((await renew('guid:same')).statusCode).toBe(200)
  expect([await ask(asApp('same')), await ask(asWeb('same'))]).toEqual([200, 401])
})

test.each([
  ['web-alice', 'profile:web-alice'],
  ['splus-carol', 'guid:splus-carol'],
  ['guid:nobody', 'guid:nobody'],
])('POST /_control/sessions with the identity %s renews the session of %s', async (given, identity) => {
  const { renew } = await bound('PT1H')
  expect((await renew(given)).json()).toMatchObject({ identity })
})

test.each([
  ['nobody', 'is not a known identity. Use profile:nobody or guid:nobody'],
  ['same', 'fits profile:same and guid:same'],
  ['profile:', 'must have 1 to 512 printable characters after the colon'],
  ['profile:a\n', 'must have 1 to 512 printable characters after the colon'],
  ['', 'is required'],
  [7, 'must be a string'],
])('POST /_control/sessions with the identity %j returns 400', async (given, words) => {
  const { ask, renew } = await bound('PT1H')
  await ask(asApp('same'))
  await ask(asWeb('same'))
  const reply = await renew(given)
  expect([reply.statusCode, reply.json().error.details[0].target]).toEqual([400, 'body.identity'])
  expect(reply.body).toContain(words)
})

test('with session-lifetime set to none, the default, no sessions are stored', async () => {
  const { ask, renew, store, clockControl } = await bound('none')
  await ask(asWeb('web-alice'))
  expect(await store.sessions.count()).toBe(0)
  expect((await renew('web-alice')).json()).not.toHaveProperty('endsAt')
  await clockControl.advance(1e12)
  expect(await ask(asWeb('web-alice'))).toBe(200)
})

test('forks and snapshots include sessions and rate limit counters', async () => {
  const { app, ask, clockControl } = await bound('PT1H')
  const limited = { profile: 'y', choices: { 'session-lifetime': 'PT1H', 'rate-limit': { requests: 3, per: 'P1D' } } }
  await app.inject({ method: 'PUT', url: '/_control/profile', payload: limited })
  await ask(asWeb('web-alice'))
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'fork', from: 'default' } })
  const snapshot = (await app.inject('/_control/snapshot')).body
  await clockControl.advance(3_600_000)
  await app.inject({ method: 'POST', url: '/w/fork/_control/clock/advance', payload: { duration: 'PT1H' } })
  const calls = async (url: string) => [
    await ask(asWeb('web-alice'), url),
    await ask(asWeb('web-alice'), url),
    await ask(asWeb('web-alice'), url),
  ]
  expect(await calls(zip)).toEqual([401, 401, 429])
  expect(await calls(`/w/fork${zip}`)).toEqual([401, 401, 429])
  await app.inject({
    method: 'PUT',
    url: '/_control/snapshot',
    headers: { 'content-type': 'application/json' },
    payload: snapshot,
  })
  expect(await calls(zip)).toEqual([200, 200, 429])
})
