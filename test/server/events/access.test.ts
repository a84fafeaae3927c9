import { expect, test } from 'vitest'
import { issueAccessToken, revokeAccessToken } from '../../../src/server/domain/events/access-tokens.ts'
import { ALL, asBearer, HOME, LIGHT, startEvents } from '../../helpers/documents/events.ts'
import { openStream } from '../../helpers/documents/stream-reader.ts'

const UNKNOWN = 'dddddddd-0000-4000-8000-000000000001'

test.each([
  ['the key', 'good', undefined, 200],
  ['the bearer token of the owner', undefined, 'token-home', 200],
  ['another token of the owner', undefined, 'token-guest', 200],
  ['the key and the bearer token of the owner', 'good', 'token-home', 200],
  ['neither', undefined, undefined, 401],
  ['an empty key', '', undefined, 401],
  ['an unknown bearer token', undefined, 'nobody-knows', 401],
  ['an expired bearer token', undefined, 'token-expired', 401],
  ['the key and an unknown bearer token', 'good', 'nobody-knows', 401],
  ['the key and the bearer token of another user', 'good', 'token-other', 403],
  ['the bearer token of another user', undefined, 'token-other', 404],
  ['a wrong key', 'wrong', undefined, 404],
  ['a wrong key and the bearer token of the owner', 'wrong', 'token-home', 404],
])('opening a stream with %s returns the expected status', async (_, key, token, status) => {
  const { subscribe, address } = await startEvents()
  const { subscriptionId, registrationUrl } = await subscribe()
  const good = /key=(\w+)/.exec(registrationUrl)![1]!
  const query = key === undefined ? '' : `?key=${key.replace('good', good)}`
  const headers = token === undefined ? {} : asBearer(token)
  const reader = await openStream(`${address}/filters/${subscriptionId}/activate${query}`, headers)
  expect(reader.status).toBe(status)
  if (status === 200) expect((await reader.next())?.data).toBe('welcome')
})

test('a stream opened with neither key nor bearer cites its rule', async () => {
  const { subscribe, address } = await startEvents()
  const { subscriptionId } = await subscribe()
  const reply = await fetch(`${address}/filters/${subscriptionId}/activate`)
  expect(reply.headers.get('x-vendor-cloud-rule')).toBe('our choice: stream-access')
})

test("a wrong key, another user's token and an unknown subscription return the same 404 error", async () => {
  const { subscribe, address } = await startEvents()
  const { subscriptionId } = await subscribe()
  const refuse = async (id: string, query: string, headers = {}) => {
    const reply = await fetch(`${address}/filters/${id}/activate${query}`, { headers })
    return { status: reply.status, error: ((await reply.json()) as { error: unknown }).error }
  }
  const unknown = await refuse(UNKNOWN, '?key=wrong')
  expect(unknown.status).toBe(404)
  expect(await refuse(subscriptionId, '?key=wrong')).toEqual(unknown)
  expect(await refuse(subscriptionId, '', asBearer('token-other'))).toEqual(unknown)
  expect(await refuse(UNKNOWN, '', asBearer('token-other'))).toEqual(unknown)
  expect(await refuse(UNKNOWN, '', asBearer('token-home'))).toEqual(unknown)
})

test('errors after a reset say that a reset deletes issued tokens and subscriptions', async () => {
  const { ports, subscribe, call } = await startEvents()
  const { registrationUrl } = await subscribe()
  const grant = { user: 'alice-home', scopes: ['r:locations:*'], locations: [HOME], expiresIn: 600 }
  const { accessToken } = await issueAccessToken(ports, grant)
  await call('POST', '/_control/reset')
  const cause = 'A reset, or a restart without stored state, deletes all'
  const readError = async (url: string, headers = {}) => JSON.stringify(await (await fetch(url, { headers })).json())
  expect(await readError(registrationUrl)).toContain(`${cause} subscriptions`)
  expect(await readError(registrationUrl.split('?')[0]!, asBearer(accessToken))).toContain(`${cause} issued tokens`)
  expect(await readError(registrationUrl.split('?')[0]!, asBearer('token-expired'))).not.toContain(cause)
})

test('a stream request with two keys returns 400', async () => {
  const { subscribe } = await startEvents()
  const reply = await fetch(`${(await subscribe()).registrationUrl}&key=other`)
  expect(reply.status).toBe(400)
})

test('a stream ends when its token expires, and opening it again then returns 401', async () => {
  const { ports, subscribe, clockControl } = await startEvents()
  const request = { user: 'alice-home', scopes: ['r:locations:*'], locations: [], expiresIn: 60 }
  const { accessToken } = await issueAccessToken(ports, request)
  const { registrationUrl } = await subscribe(ALL, { token: accessToken })
  const reader = await openStream(registrationUrl)
  await reader.next()
  await clockControl.advance(59_000)
  expect(await openStream(registrationUrl)).toMatchObject({ status: 200 })
  expect(await reader.ended).toBe('end')
  const second = await openStream(registrationUrl)
  await clockControl.advance(1000)
  expect(await second.ended).toBe('end')
  expect(second.text).not.toContain('goodbye')
  expect((await openStream(registrationUrl)).status).toBe(401)
})

test('a replaced subscription resumes at its registrationUrl when its first token has expired', async () => {
  const { ports, call, subscribe, emit, clockControl } = await startEvents()
  const request = { user: 'alice-home', scopes: ['r:locations:*'], locations: [HOME], expiresIn: 600 }
  const { accessToken: token } = await issueAccessToken(ports, request)
  const { registrationUrl, subscriptionId } = await subscribe(ALL, { token })
  const first = await openStream(registrationUrl)
  const { id } = (await first.next())!
  await clockControl.advance(660_000)
  expect(await first.ended).toBe('end')
  await emit(LIGHT, 'on')
  expect(await (await fetch(registrationUrl)).json()).toMatchObject({
    error: {
      message:
        'the access token of this subscription has expired. Replace the subscription (PUT) with a valid token, ' +
        'or send a valid token with this URL; POST /_control/tokens issues another',
    },
  })
  const replaced = await call('PUT', `/subscriptions/${subscriptionId}`, { body: { subscriptionFilters: ALL } })
  expect(replaced).toMatchObject({ status: 200, body: { registrationUrl } })
  const second = await openStream(registrationUrl, { 'last-event-id': id! })
  expect((await second.next())?.data).toBe('welcome')
  expect((await second.next())?.event).toBe('DEVICE_EVENT')
})

test('an open stream ends with its token when the subscription has been replaced with another token', async () => {
  const { ports, call, subscribe, clockControl } = await startEvents()
  const request = { user: 'alice-home', scopes: ['r:locations:*'], locations: [HOME], expiresIn: 60 }
  const { accessToken: token } = await issueAccessToken(ports, request)
  const { registrationUrl, subscriptionId } = await subscribe(ALL, { token })
  const reader = await openStream(registrationUrl)
  await call('PUT', `/subscriptions/${subscriptionId}`, { body: { subscriptionFilters: ALL } })
  await clockControl.advance(60_000)
  expect(await reader.ended).toBe('end')
  expect((await openStream(registrationUrl)).status).toBe(200)
})

test('a stream opened by key or bearer token ends when its token is revoked', async () => {
  const { ports, subscribe, address } = await startEvents()
  const request = { user: 'alice-home', scopes: ['r:locations:*'], locations: [], expiresIn: 60 }
  for (const open of ['key', 'bearer']) {
    const { accessToken } = await issueAccessToken(ports, request)
    const { registrationUrl, subscriptionId } = await subscribe(ALL, { token: accessToken })
    const url = open === 'key' ? registrationUrl : `${address}/filters/${subscriptionId}/activate`
    const reader = await openStream(url, open === 'key' ? {} : asBearer(accessToken))
    await reader.next()
    expect(await revokeAccessToken(ports, accessToken)).toBe(true)
    expect(await revokeAccessToken(ports, accessToken)).toBe(false)
    expect(await reader.ended).toBe('end')
    expect((await openStream(registrationUrl)).status).toBe(401)
  }
})

test('a clock move does not report the expiry of a token whose stream has already ended', async () => {
  const { ports, clockControl, stream } = await startEvents()
  const request = { user: 'alice-home', scopes: ['r:locations:*'], locations: [HOME], expiresIn: 60 }
  const { accessToken: token } = await issueAccessToken(ports, request)
  const { reader } = await stream(ALL, { token })
  await revokeAccessToken(ports, token)
  expect(await reader.ended).toBe('end')
  expect(await clockControl.advance(60_000)).toMatchObject({ due: 0, dueTasks: [] })
})

test('a stream does not end when other tokens of its user are revoked', async () => {
  const { ports, subscribe, emit, address } = await startEvents()
  const request = { user: 'alice-home', scopes: ['r:locations:*'], locations: [], expiresIn: 60 }
  const { accessToken } = await issueAccessToken(ports, request)
  const { subscriptionId } = await subscribe(ALL)
  const reader = await openStream(`${address}/filters/${subscriptionId}/activate`, asBearer('token-guest'))
  await reader.next()
  await revokeAccessToken(ports, accessToken)
  await revokeAccessToken(ports, 'token-home')
  await emit(LIGHT, 'on')
  expect((await reader.next())?.event).toBe('DEVICE_EVENT')
})

test('the store contains only the digest of an access token', async () => {
  const { ports, store } = await startEvents()
  const { accessToken } = await issueAccessToken(ports, { user: 'dana', scopes: [], locations: [], expiresIn: 1 })
  expect(accessToken).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(JSON.stringify(await store.accessTokens.find())).not.toContain(accessToken)
})

test('deleting the record of a subscription or of its token ends its stream', async () => {
  const { app, stream, ports } = await startEvents()
  const remove = (path: string) =>
    app.inject({ method: 'DELETE', url: `/_control/records/${path}`, headers: { host: 'localhost' } })

  const { reader, subscriptionId } = await stream(ALL)
  expect((await remove(`subscriptions/${subscriptionId}`)).statusCode).toBe(204)
  expect((await reader.next())?.data).toBe('goodbye')
  expect(await reader.next()).toBeUndefined()

  const second = await stream(ALL)
  expect((await remove(`accessTokens/${ports.digests.sha256('token-home')}`)).statusCode).toBe(204)
  expect(await second.reader.next()).toBeUndefined()
})

test.each([
  ['PT30S', 30_000],
  ['none', undefined],
])(
  'the choice stream-lifetime %s determines when a stream ends without sending a goodbye event',
  async (lifetime, lives) => {
    const { app, stream, clockControl } = await startEvents()
    const payload = { profile: 'x', choices: { 'stream-lifetime': lifetime } }
    await app.inject({ method: 'PUT', url: '/_control/profile', payload })
    const { reader, registrationUrl } = await stream()
    if (lives === undefined) {
      await clockControl.advance(24 * 3_600_000)
      return expect((await app.inject('/_control/streams')).json()).toMatchObject({ items: [{}] })
    }
    await clockControl.advance(lives - 1)
    expect((await app.inject('/_control/streams')).json()).toMatchObject({ items: [{}] })
    const { dueTasks } = await clockControl.advance(1)
    expect(dueTasks.map(({ what }) => what)).toEqual(['stream ends because of stream-lifetime'])
    expect(await reader.ended).toBe('end')
    expect(reader.text).not.toContain('goodbye')
    expect((await openStream(registrationUrl)).status).toBe(200)
  },
)
