import { expect, test } from 'vitest'
import {
  ALL,
  CONTACT,
  ELSEWHERE,
  LIGHT,
  LIGHTS_AT_HOME,
  startEvents,
  STUDIO_LIGHT,
} from '../../helpers/documents/events.ts'

const UNKNOWN = 'dddddddd-0000-4000-8000-000000000001'

interface ErrorBody {
  error: { code: string; message: string; details: { code: string; target: string; message: string }[] }
}
const errorOf = ({ body }: { body: unknown }) => (body as ErrorBody).error

test('every subscription operation returns 401 if the bearer token is missing or invalid', async () => {
  const { call, subscribe } = await startEvents()
  const { subscriptionId } = await subscribe()
  const one = `/subscriptions/${subscriptionId}`
  for (const token of ['', 'token-expired', 'nobody-knows']) {
    for (const [method, path] of [
      ['POST', '/subscriptions'],
      ['GET', one],
      ['PUT', one],
      ['DELETE', one],
    ] as const) {
      const reply = await call(method, path, { token, ...(method === 'GET' ? {} : { body: 'no JSON' }) })
      expect(reply.status).toBe(401)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  }
  const basic = await call('GET', one, { token: '', headers: { authorization: 'Basic dG9rZW4=' } })
  expect(basic.status).toBe(401)
  expect((await call('GET', one, { token: '', headers: { authorization: 'bearer token-home' } })).status).toBe(200)
})

test.each([
  ['LOCATIONIDS', 'ALL', 'r:locations:*'],
  ['DEVICEIDS', LIGHT, 'r:devices:*'],
  ['INSTALLEDSMARTAPPIDS', LIGHTS_AT_HOME, 'r:installedapps:*'],
  ['SMARTAPPIDS', 'app-lights', 'r:smartapps:*'],
])(
  'createSubscription and updateSubscription return 403 for %s if the token lacks the scope',
  async (type, id, scope) => {
    const { call, subscribe } = await startEvents()
    const { subscriptionId } = await subscribe()
    const body = { subscriptionFilters: [{ type, value: [id] }] }
    for (const [method, path] of [
      ['POST', '/subscriptions'],
      ['PUT', `/subscriptions/${subscriptionId}`],
    ] as const) {
      const reply = await call(method, path, { token: 'token-guest', body })
      expect(reply.status).toBe(403)
      expect(errorOf(reply)).toMatchObject({ code: 'ForbiddenError', message: expect.stringContaining(scope) })
      expect(errorOf(reply).details).toMatchObject([
        { code: 'MissingScope', target: 'body.subscriptionFilters[0].type', message: expect.stringContaining(scope) },
      ])
      expect((await call(method, path, { body })).status).toBe(200)
    }
  },
)

test('getSubscription and deleteSubscription do not require a scope', async () => {
  const { call, subscribe } = await startEvents()
  const { subscriptionId } = await subscribe()
  expect((await call('GET', `/subscriptions/${subscriptionId}`, { token: 'token-guest' })).status).toBe(200)
  expect((await call('DELETE', `/subscriptions/${subscriptionId}`, { token: 'token-guest' })).status).toBe(204)
})

test.each([
  ['LOCATIONIDS', ELSEWHERE],
  ['DEVICEIDS', STUDIO_LIGHT],
  ['INSTALLEDSMARTAPPIDS', 'cccccccc-0000-4000-8000-000000000004'],
])('createSubscription returns the same 403 for %s of another user and for an unknown ID', async (type, foreign) => {
  const { call } = await startEvents()
  const refuse = async (id: string) => {
    const reply = await call('POST', '/subscriptions', {
      body: { subscriptionFilters: [{ type, value: [CONTACT, id].slice(-1) }] },
    })
    return { status: reply.status, text: JSON.stringify(errorOf(reply)).replaceAll(id, '') }
  }
  expect(await refuse(foreign)).toMatchObject({ status: 403 })
  expect(await refuse(foreign)).toEqual(await refuse(UNKNOWN))
})

test('createSubscription returns 403 for an app not installed in any location of the token', async () => {
  const { call } = await startEvents()
  const body = { subscriptionFilters: [{ type: 'SMARTAPPIDS', value: ['app-lights', 'nobody-knows'] }] }
  const reply = await call('POST', '/subscriptions', { token: 'token-other', body })
  expect(reply.status).toBe(403)
  expect(errorOf(reply).details.map(({ target }) => target)).toEqual([
    'body.subscriptionFilters[0].value[0]',
    'body.subscriptionFilters[0].value[1]',
  ])
})

test("every subscription operation returns the same 404 for another user's and an unknown subscription", async () => {
  const { call, subscribe } = await startEvents()
  const { subscriptionId } = await subscribe()
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: { subscriptionFilters: ALL } } : {}
    const foreign = await call(method, `/subscriptions/${subscriptionId}`, { token: 'token-other', ...body })
    const unknown = await call(method, `/subscriptions/${UNKNOWN}`, { token: 'token-other', ...body })
    expect(foreign.status).toBe(404)
    expect(errorOf(foreign)).toEqual(errorOf(unknown))
    expect(errorOf(unknown).message).toBe('no subscription of this user has this ID; POST /subscriptions creates one')
  }
})

test('createSubscription returns 409 beyond the subscription-limit, even for parallel calls', async () => {
  const { app, call } = await startEvents()
  const create = (token?: string) =>
    call('POST', '/subscriptions', { body: { subscriptionFilters: ALL }, ...(token !== undefined && { token }) })
  const createMany = async (count: number) => {
    const replies = await Promise.all(Array.from({ length: count }, () => create()))
    return replies.map(({ status }) => status).sort()
  }
  expect(new Set(await createMany(50))).toEqual(new Set([200]))
  const payload = { profile: 'x', choices: { 'subscription-limit': 53 } }
  await app.inject({ method: 'PUT', url: '/_control/profile', payload })
  expect(await createMany(6)).toEqual([200, 200, 200, 409, 409, 409])
  const reply = await create()
  expect(errorOf(reply)).toMatchObject({ code: 'LimitExceeded', message: expect.stringContaining('at most 53') })
  expect((await create('token-other')).status).toBe(200)
  const [{ subscriptionId }] = (await app.inject('/_control/records/subscriptions?limit=1')).json().items
  expect((await call('DELETE', `/subscriptions/${subscriptionId}`)).status).toBe(204)
  expect(await createMany(2)).toEqual([200, 409])
})

test('the error for a subscription-limit of 1 uses the singular', async () => {
  const { app, call } = await startEvents()
  const payload = { profile: 'x', choices: { 'subscription-limit': 1 } }
  await app.inject({ method: 'PUT', url: '/_control/profile', payload })
  const create = () => call('POST', '/subscriptions', { body: { subscriptionFilters: ALL } })
  await create()
  expect(errorOf(await create())).toMatchObject({ message: 'a user can have at most 1 subscription' })
})

test.each([0, 1001, 1.5, '5', 'many'])('the subscription-limit %j is rejected with 400', async (value) => {
  const { app } = await startEvents()
  const payload = { profile: 'x', choices: { 'subscription-limit': value } }
  const reply = await app.inject({ method: 'PUT', url: '/_control/profile', payload })
  expect([reply.statusCode, reply.json().error.message]).toEqual([
    400,
    expect.stringContaining('body.choices.subscription-limit must be'),
  ])
})

test('a filter type in the wrong case returns 400 and suggests the correct spelling', async () => {
  const { call } = await startEvents()
  const body = { subscriptionFilters: [{ type: 'locationids', value: ['ALL'] }] }
  expect(errorOf(await call('POST', '/subscriptions', { body })).message).toContain('; the nearest is LOCATIONIDS')
})
