import { describe, expect, test } from 'vitest'
import { ALL, asBearer, CABIN, HOME, LIGHT, LIGHTS_AT_HOME, startEvents } from '../../helpers/documents/events.ts'

interface ErrorBody {
  error: { code: string; message: string; details: { code: string; target: string; message: string }[] }
}
const errorOf = ({ body }: { body: unknown }) => (body as ErrorBody).error

describe.each(['/subscriptions', '/v1/subscriptions', '/v1/sse/subscriptions'])('with the path %s', (path) => {
  test('creating, reading and updating a subscription returns 200, and deleting it returns 204', async () => {
    const { call, address } = await startEvents()
    const created = await call('POST', path, { body: { name: 'lights', version: 3, subscriptionFilters: ALL } })
    expect(created).toMatchObject({ status: 200, body: { name: 'lights', version: 3 } })
    const { subscriptionId, registrationUrl } = created.body as { subscriptionId: string; registrationUrl: string }
    expect(created.body).toEqual({
      subscriptionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      registrationUrl: expect.stringMatching(
        /^http.*\/filters\/[0-9a-f-]{36}\/activate\?filterRegion=local&key=[0-9a-f]{32}$/,
      ),
      name: 'lights',
      version: 3,
      subscriptionFilters: [{ type: 'LOCATIONIDS' }],
    })
    expect(registrationUrl.startsWith(`${address}/filters/${subscriptionId}/`)).toBe(true)
    expect(await call('GET', `${path}/${subscriptionId}`)).toMatchObject({ status: 200, body: created.body })

    const filters = [
      { type: 'DEVICEIDS', value: [LIGHT] },
      { type: 'SMARTAPPIDS', value: ['app-lights'] },
    ]
    const updated = await call('PUT', `${path}/${subscriptionId}`, { body: { subscriptionFilters: filters } })
    const changed = {
      ...(created.body as object),
      subscriptionFilters: [{ type: 'DEVICEIDS' }, { type: 'SMARTAPPIDS' }],
    }
    expect(updated).toMatchObject({ status: 200, body: changed })

    expect(await call('DELETE', `${path}/${subscriptionId}`)).toMatchObject({ status: 204, body: undefined })
    expect((await call('GET', `${path}/${subscriptionId}`)).status).toBe(404)
    expect((await call('DELETE', `${path}/${subscriptionId}`)).status).toBe(404)
  })
})

test('createSubscription accepts JSON with any content type, and sets a default name and version', async () => {
  const { call } = await startEvents()
  const body = { subscriptionFilters: ALL, clientDeviceId: 'phone', unknown: [1] }
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.vendor+json;v=1',
    'nonsense',
    'application/json, application/json',
    'application/json, text/plain',
    'application/json charset=utf-8',
    'application/json; charset',
    '',
  ]) {
    const headers = { 'content-type': type, accept: 'application/vnd.vendor+json;v=20' }
    const reply = await call('POST', '/subscriptions', { body, headers })
    expect(reply).toMatchObject({ status: 200, body: { name: 'subscription', version: 1 } })
  }
})

test('subscriptionId is case-insensitive in subscription calls, stream addresses and control API calls', async () => {
  const { call, stream, address } = await startEvents()
  const { subscriptionId, registrationUrl, reader } = await stream()
  const path = `/subscriptions/${subscriptionId.toUpperCase()}`
  const update = { subscriptionFilters: [{ type: 'DEVICEIDS', value: [LIGHT.toUpperCase()] }] }
  expect(await call('GET', path)).toMatchObject({ status: 200, body: { subscriptionId, registrationUrl } })
  expect(await call('PUT', path, { body: update })).toMatchObject({ status: 200, body: { subscriptionId } })
  const records = '/_control/records/subscriptions'
  const record = await call('GET', `${records}/${subscriptionId.toUpperCase()}`)
  expect(record.body).toMatchObject({ subscriptionFilters: [{ value: [LIGHT] }] })
  expect(await call('GET', `${records}?subscriptionId=${subscriptionId.toUpperCase()}`)).toMatchObject({
    body: { totalCount: 1 },
  })
  const chaos = `/_control/streams/${subscriptionId.toUpperCase()}/chaos`
  expect((await call('POST', chaos, { body: { action: 'drop' } })).status).toBe(204)
  await reader.ended
  const again = registrationUrl.replace(subscriptionId, subscriptionId.toUpperCase())
  expect((await fetch(again.replace(/^http:..[^/]*/, address), { method: 'HEAD' })).status).toBe(200)
  expect((await call('DELETE', path)).status).toBe(204)
})

test('location, device and app IDs are case-insensitive in filters, tokens and device events', async () => {
  const { call, stream } = await startEvents()
  const value = (id: string) => [id.toUpperCase()]
  const { reader } = await stream([
    { type: 'INSTALLEDSMARTAPPIDS', value: value(LIGHTS_AT_HOME) },
    { type: 'LOCATIONIDS', value: value(HOME) },
    { type: 'DEVICEIDS', value: value(LIGHT) },
  ])
  const event = { capability: 'switch', attribute: 'switch', value: 'on' }
  expect((await call('POST', `/_control/devices/${LIGHT.toUpperCase()}/events`, { body: event })).status).toBe(200)
  const { data } = (await reader.next())!
  expect(data).toMatchObject({ deviceEvent: { deviceId: LIGHT, locationId: HOME } })
})

test('createSubscription accepts filters with null in optional fields and with unknown event types', async () => {
  const { call } = await startEvents()
  const filter = {
    type: 'LOCATIONIDS',
    value: [HOME, CABIN],
    eventType: null,
    attribute: null,
    capability: null,
    component: null,
  }
  const known = { type: 'INSTALLEDSMARTAPPIDS', value: [LIGHTS_AT_HOME], eventType: ['DEVICE_EVENT', 'NOBODY_KNOWS'] }
  const reply = await call('POST', '/subscriptions', { body: { subscriptionFilters: [filter, known] } })
  expect(reply).toMatchObject({
    status: 200,
    body: { subscriptionFilters: [{ type: 'LOCATIONIDS' }, { type: 'INSTALLEDSMARTAPPIDS' }] },
  })
})

test.each([
  ['no body', '', 'body'],
  ['invalid JSON', '{', 'body'],
  ['no filters', {}, 'body.subscriptionFilters'],
  ['an empty list of filters', { subscriptionFilters: [] }, 'body.subscriptionFilters'],
  ['a filter without a type', { subscriptionFilters: [{ value: ['ALL'] }] }, 'body.subscriptionFilters[0].type'],
  [
    'an unknown filter type',
    { subscriptionFilters: [{ type: 'ROOMIDS', value: ['x'] }] },
    'body.subscriptionFilters[0].type',
  ],
  ['a filter without a value', { subscriptionFilters: [{ type: 'DEVICEIDS' }] }, 'body.subscriptionFilters[0].value'],
  [
    'a filter with an empty value',
    { subscriptionFilters: [{ type: 'DEVICEIDS', value: [] }] },
    'body.subscriptionFilters[0].value',
  ],
  [
    'a filter with ALL and an ID',
    { subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL', HOME] }] },
    'body.subscriptionFilters[0].value',
  ],
  ['a version that is not a whole number', { version: 1.5, subscriptionFilters: ALL }, 'body.version'],
  ['a name that is not a string', { name: 7, subscriptionFilters: ALL }, 'body.name'],
  ['__proto__', '{"__proto__": {}, "subscriptionFilters": []}', 'body'],
])('createSubscription returns 400 for %s', async (_, body, target) => {
  const { call } = await startEvents()
  const reply = await call('POST', '/subscriptions', { body })
  expect(reply.status).toBe(400)
  expect(errorOf(reply).details.map((detail) => detail.target)).toContain(target)
})

test('createSubscription returns 415 for a compressed body and 413 for a body over 1 MiB', async () => {
  const { call, app } = await startEvents()
  const encoded = await call('POST', '/subscriptions', { body: '{}', headers: { 'content-encoding': 'gzip' } })
  expect(encoded.status).toBe(415)
  expect((await call('POST', '/subscriptions', { body: ' '.repeat(1024 * 1024 + 1) })).status).toBe(413)
  const patched = await call('PATCH', '/subscriptions')
  expect(patched.status).toBe(405)
  expect(patched.headers.get('allow')).toContain('POST')
  expect((await app.inject({ url: '/subscriptions/x', headers: asBearer('token-home') })).statusCode).toBe(404)
})

test('a subscription expires after SUBSCRIPTION_TTL if it was never opened', async () => {
  const { call, subscribe, stream, clockControl } = await startEvents({ subscriptionTtl: 60_000 })
  const [{ subscriptionId: unused }, { subscriptionId: streamed }] = [await subscribe(), await stream()]
  await clockControl.advance(59_999)
  expect((await call('GET', `/subscriptions/${unused}`)).status).toBe(200)
  await clockControl.advance(1)
  expect((await call('GET', `/subscriptions/${unused}`)).status).toBe(404)
  expect((await call('GET', `/subscriptions/${streamed}`)).status).toBe(200)
})

test('the stream key of a subscription is not stored and differs between worlds', async () => {
  const { call, subscribe, store } = await startEvents()
  const { subscriptionId, registrationUrl } = await subscribe()
  const key = /key=(\w+)/.exec(registrationUrl)![1]!
  expect(JSON.stringify(await store.subscriptions.get(subscriptionId))).not.toContain(key)
  expect((await call('GET', `/subscriptions/${subscriptionId}`)).body).toMatchObject({ registrationUrl })
  const other = await startEvents({ seed: 'another' })
  const moved = { ...(await store.subscriptions.get(subscriptionId))! }
  await other.store.transaction((tx) => tx.subscriptions.put(moved))
  const { body } = await other.call('GET', `/subscriptions/${subscriptionId}`)
  expect((body as { registrationUrl: string }).registrationUrl).not.toContain(key)
})

test('updateSubscription accepts a name and version, and the live stream sends the new name', async () => {
  const { call, stream, emit } = await startEvents()
  const { reader, subscriptionId } = await stream(ALL, { name: 'before' })
  const nameOf = async (value: number) => {
    await emit(LIGHT, value)
    return ((await reader.next())!.data as { deviceEvent: { subscriptionName: string } }).deviceEvent.subscriptionName
  }
  expect(await nameOf(1)).toBe('before')
  const path = `/subscriptions/${subscriptionId}`
  const renamed = await call('PUT', path, { body: { name: 'after', version: 2, subscriptionFilters: ALL } })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'after', version: 2 } })
  expect(await nameOf(2)).toBe('after')
  await call('PUT', path, { body: { subscriptionFilters: ALL } })
  expect((await call('GET', path)).body).toMatchObject({ name: 'after', version: 2 })
})

test('a subscription with 5,000 unknown IDs is rejected within half a second with 100 errors', async () => {
  const { call } = await startEvents()
  const unknown = (type: string) => Array.from({ length: 5 }, (_, i) => ({ type, value: idsOf(1000, `u${i}-`) }))
  for (const type of ['DEVICEIDS', 'INSTALLEDSMARTAPPIDS', 'SMARTAPPIDS', 'LOCATIONIDS']) {
    const before = process.cpuUsage()
    const reply = await call('POST', '/subscriptions', { body: { subscriptionFilters: unknown(type) } })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(500)
    expect(reply.status).toBe(403)
    const { error } = reply.body as { error: { message: string; details: unknown[] } }
    expect([error.details.length, error.message]).toEqual([100, expect.stringContaining('4900 more')])
  }
})

test.each([
  ['filters', { subscriptionFilters: Array.from({ length: 101 }, () => ALL[0]) }],
  ['ids', { subscriptionFilters: [{ type: 'DEVICEIDS', value: idsOf(1001) }] }],
  ['event types', { subscriptionFilters: [{ ...ALL[0], eventType: idsOf(101) }] }],
])('createSubscription and updateSubscription reject more %s than the schema allows', async (_, body) => {
  const { call } = await startEvents()
  const { subscriptionId } = (await call('POST', '/subscriptions', { body: { subscriptionFilters: ALL } })).body as {
    subscriptionId: string
  }
  expect((await call('POST', '/subscriptions', { body })).status).toBe(400)
  expect((await call('PUT', `/subscriptions/${subscriptionId}`, { body })).status).toBe(400)
})

function idsOf(count: number, start = 'id-'): string[] {
  return Array.from({ length: count }, (_, i) => `${start}${i}`)
}

test('the registrationUrl has the host of the request, even with an underscore', async () => {
  const { app } = await startEvents()
  const headers = { ...asBearer('token-home'), host: 'vendor_cloud:8080' }
  const payload = { subscriptionFilters: ALL }
  const reply = await app.inject({ method: 'POST', url: '/subscriptions', headers, payload })
  expect(reply.json().registrationUrl).toContain('http://vendor_cloud:8080/filters/')
})
