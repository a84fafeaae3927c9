import { getEventListeners, once } from 'node:events'
import { expect, test } from 'vitest'
import { asGuest, listen } from '../../helpers/build-test-app.ts'
import { asBearer } from '../../helpers/documents/events.ts'
import { sendRaw } from '../../helpers/raw-request.ts'
import { buildLogged, sendAndLeave, writeHead } from './logged-app.ts'

test('successful requests for the journal, health, metrics and the console are logged at level debug', async () => {
  const { app, lines } = buildLogged()
  const page = { 'sec-fetch-site': 'same-origin' }
  for (const [path, headers, level] of [
    ['/_control/clock', {}, 30],
    ['/_control/journal', {}, 20],
    ['/health/live', {}, 20],
    ['/health', {}, 20],
    ['/metrics', {}, 20],
    ['/health/none', {}, 30],
    ['/_control/clock', page, 20],
    ['/_control/clocks', page, 30],
    ['/stg/us/guest/zipCode', page, 30],
  ] as const) {
    await app.inject({ url: path, headers })
    expect([path, lines.at(-1)]).toMatchObject([path, { path, level }])
  }
})

test('the log shows why the server is not ready, and when it is ready again', async () => {
  const { app, lines, worlds } = buildLogged()
  const { store } = worlds.find('default')!
  const { ping } = store
  store.ping = () => Promise.reject(new Error('away', { cause: new Error('cut') }))
  await app.inject('/health/ready')
  store.ping = ping
  for (let i = 0; i < 2; i++) await app.inject('/health/ready')
  const logged = lines.filter(({ msg }) => msg !== 'request')
  expect(logged.map(({ msg }) => msg)).toEqual(['not ready', 'ready again'])
  expect(logged[0]).toMatchObject({ world: 'default', reason: 'away: cut' })
  expect(logged[0]).not.toHaveProperty('err')
})

const FORM = { 'content-type': 'multipart/form-data; boundary=B', 'transfer-encoding': 'chunked' }
const JSON_BODY = { 'content-type': 'application/json', 'content-length': 1000 }
const ZIP_CODE = '/stg/us/guest/zipCode?zipCode=07660'

test.each([
  ['a SOAP message', '/iap/ws/RTCService', { 'content-type': 'text/xml', 'content-length': 1000 }, '<e:E'],
  ['JSON', '/stg/us/guest/customerFeedback', { ...asGuest(), ...JSON_BODY }, '{"a"'],
  ['a subscription request', '/subscriptions', { ...asBearer('token-home'), ...JSON_BODY }, '{"a"'],
  [
    'an upload',
    '/stg/us/guest/serviceRequest/asset/symptomImage?srid=1',
    { ...asGuest(), ...FORM },
    '5\r\n--B\r\n\r\n',
  ],
  ['a control API request', '/_control/worlds', JSON_BODY, '{"a"'],
  ['a snapshot', '/_control/snapshot', JSON_BODY, '{"a"'],
])(
  'a request whose client disconnects while sending %s is logged with the status 499',
  async (_, path, headers, part) => {
    const { app, lines } = buildLogged()
    const address = await listen(app)
    const come = once(app.server, 'request')
    const method = path.endsWith('snapshot') ? 'PUT' : 'POST'
    await sendAndLeave(address, writeHead(method, path, headers) + part, async () => void (await come))
    await expect.poll(() => lines.length).toBe(1)
    const reason = 'the client disconnected before its request was complete'
    expect(lines[0]).toMatchObject({ msg: 'request', level: 30, status: 499, reason })
    expect((await app.inject('/metrics')).payload).toMatch(/requests_total\{operation="[^"]*",status="499"\} 1/)
    const { entries } = (await app.inject('/_control/journal')).json()
    if (path.startsWith('/_control')) return
    expect([entries.length, entries[0].status, entries[0].why.message]).toEqual([1, undefined, reason])
  },
)

test.each([
  ['JSON', '/stg/us/guest/customerFeedback', { ...asGuest(), ...JSON_BODY }],
  ['a subscription request', '/subscriptions', { ...asBearer('token-home'), ...JSON_BODY }],
  ['a SOAP message', '/iap/ws/RTCService', { 'content-type': 'text/xml', 'content-length': 1000 }],
  ['an upload', '/stg/us/guest/serviceRequest/asset/symptomImage?srid=1', { ...asGuest(), ...FORM }],
])(
  'a delayed request whose client disconnects while sending %s is logged with the status 499',
  async (_, path, headers) => {
    const { app, lines } = buildLogged()
    const address = await listen(app)
    const payload = { match: { path: path.split('?')[0] }, delayMs: 60_000 }
    const id = (await app.inject({ method: 'POST', url: '/_control/faults', payload })).json().faultId
    const arrived = async () => (await app.inject('/_control/journal')).json().totalCount
    await sendAndLeave(address, `${writeHead('POST', path, headers)}5\r\n`, async () => {
      await expect.poll(arrived).toBe(1)
    })
    await expect
      .poll(() => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count))))
      .toBe(0)
    await app.inject({ method: 'DELETE', url: `/_control/faults/${id}` })
    const reason = 'the client disconnected before its request was complete'
    const told = () => lines.filter((line) => !line.path.startsWith('/_'))
    await expect.poll(told).toMatchObject([{ msg: 'request', level: 30, status: 499, reason }])
  },
)

test('a delayed request is logged with status 499 if its client disconnects', async () => {
  const { app, lines } = buildLogged()
  const address = await listen(app)
  const provoke = (fault: object) =>
    app.inject({ method: 'POST', url: '/_control/faults', payload: { match: { operation: 30 }, times: 1, ...fault } })
  const id = (await provoke({ delayMs: 60_000 })).json().faultId
  const held = writeHead('GET', ZIP_CODE, asGuest())
  const arrived = async () => (await app.inject('/_control/journal')).json().totalCount
  await sendAndLeave(address, held, async () => void (await expect.poll(arrived).toBe(1)))
  const told = () => lines.filter(({ path }) => path.startsWith('/stg'))
  await expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count))))
    .toBe(0)
  await app.inject({ method: 'DELETE', url: `/_control/faults/${id}` })
  await expect.poll(told).toMatchObject([{ status: 499, reason: 'the client disconnected before the response' }])
  await provoke({ respond: { reset: true }, name: 'lost' })
  await expect(fetch(address + ZIP_CODE, { headers: asGuest() })).rejects.toThrow('fetch failed')
  expect([told()[1]!.status, told()[1]!.faults]).toEqual([undefined, ['lost']])
})

test('a waiting verification ends and removes its listeners when its client disconnects', async () => {
  const { app, lines } = buildLogged()
  const address = await listen(app)
  const body = JSON.stringify({ match: { method: 'GET' }, withinMs: 60_000 })
  const asked = writeHead('POST', '/_control/journal/verify', { ...JSON_BODY, 'content-length': body.length }) + body
  const listeners = () => getEventListeners(app.closing, 'abort').length
  const before = listeners()
  await sendAndLeave(address, asked, async () => void (await expect.poll(listeners).toBe(before + 1)))
  const told = [{ status: 499, reason: 'the client disconnected before the response' }]
  await expect.poll(() => lines, { timeout: 20_000 }).toMatchObject(told)
  expect(listeners()).toBe(before)
})

test('a request with an unknown Expect header is logged with the status 417', async () => {
  const { app, lines } = buildLogged()
  const headers = { ...asGuest(), expect: '200-ok', connection: 'close' }
  const reply = await sendRaw(await listen(app), writeHead('GET', ZIP_CODE, headers))
  const [, reqId] = /^x-request-id: (\S+)\r$/m.exec(reply) ?? []
  const path = '/stg/us/guest/zipCode'
  await expect.poll(() => lines).toMatchObject([{ msg: 'request', level: 30, path, status: 417, reqId }])
})

test('the log lines of different worlds can be distinguished by world and request ID', async () => {
  const { app, lines } = buildLogged()
  await app.inject({ method: 'POST', url: '/_control/worlds', payload: { name: 'other' } })
  for (const prefix of ['', '/w/other']) await app.inject({ url: `${prefix}/stg/us/guest/zipCode`, headers: asGuest() })
  const ids = lines.map(({ world, reqId }) => `${world} ${reqId}`)
  expect(ids.slice(-2)).toEqual([expect.stringMatching(/^default req-/), 'other req-1'])
  expect(new Set(ids).size).toBe(lines.length)
})

test('the log shows when a stream opens, and why it ends', async () => {
  const { app, lines } = buildLogged()
  const address = await listen(app)
  const headers = asBearer('token-home')
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const created = await (await fetch(`${address}/subscriptions`, { method: 'POST', headers, body })).json()
  const { registrationUrl, subscriptionId } = created as { registrationUrl: string; subscriptionId: string }
  const stream = await fetch(registrationUrl)
  const opening = lines.at(-1)!
  expect(opening).toMatchObject({ msg: 'request', status: 200 })
  await fetch(`${address}/subscriptions/${subscriptionId}`, { method: 'DELETE', headers })
  await stream.text()
  const ended = lines.find(({ msg }) => msg !== 'request')
  expect(ended).toMatchObject({ msg: 'stream ended: the subscription was deleted', reqId: opening.reqId, level: 30 })
})
