import type { InjectOptions } from 'fastify'
import { request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { asGuest, asWeb, buildTestApp, listen } from '../../helpers/build-test-app.ts'

type App = ReturnType<typeof buildTestApp>['app']
const provoke = (app: App, payload: object) => app.inject({ method: 'POST', url: '/_control/faults', payload })
const zip = { url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() }

function receive(
  address: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status?: number; body: string; ended: boolean }> {
  return new Promise((resolve) => {
    // A reset causes an error on the request too, even after the response has started.
    let isAnswered = false
    const sent = httpRequest(`${address}${path}`, { headers }, (reply) => {
      isAnswered = true
      let body = ''
      reply.setEncoding('latin1').on('data', (text: string) => {
        body += text
      })
      reply.on('error', () => {}).on('close', () => resolve({ status: reply.statusCode!, body, ended: reply.complete }))
    })
    sent.on('error', () => isAnswered || resolve({ body: '', ended: false })).end()
  })
}

test('a fault can cut a response, send it slowly or garble its content', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  await provoke(app, { match: { operation: 30 }, respond: { cut: 10 }, times: 1 })
  const cut = await receive(address, zip.url, zip.headers)
  expect(cut).toEqual({ status: 200, body: expect.stringMatching(/^.{10}$/), ended: false })
  await provoke(app, { match: { operation: 30 }, respond: { throttle: 2000 }, times: 1 })
  const throttled = await receive(address, zip.url, zip.headers)
  expect([throttled.ended, JSON.parse(throttled.body).zipCode]).toEqual([true, '07660'])
  await provoke(app, { match: { operation: 30 }, respond: { garbage: true }, times: 1 })
  const garbled = await fetch(address + zip.url, { headers: zip.headers })
  expect(garbled.headers.get('content-type')).toContain('application/json')
  await expect(garbled.json()).rejects.toThrow('JSON')
})

test('the client gets no response from a timeout fault, and the journal names the fault', async () => {
  const { app } = buildTestApp()
  const address = await listen(app)
  await provoke(app, { match: { operation: 30 }, respond: { timeout: true }, name: 'silence' })
  const client = new AbortController()
  const answer = fetch(address + zip.url, { headers: zip.headers, signal: client.signal })
  const payload = { match: { operation: 30 }, withinMs: 20_000 }
  const { entries } = (await app.inject({ method: 'POST', url: '/_control/journal/verify', payload })).json()
  expect(entries[0]).toMatchObject({ operation: 30, faults: ['silence'] })
  expect(entries[0].status).toBeUndefined()
  client.abort()
  await expect(answer).rejects.toThrow('aborted')
})

test('a fault applies only to requests that match its query, header, body or caller', async () => {
  const { app } = buildTestApp()
  await provoke(app, { match: { query: { zipCode: '10001' } }, respond: { status: 503, retryAfter: 7 } })
  await provoke(app, { match: { caller: 'web-alice' }, respond: { status: 500, code: 'Alice' } })
  await provoke(app, { match: { body: { rating: 1 } }, respond: { status: 500, code: 'Body' } })
  await provoke(app, { match: { header: { 'X-Test': 'yes' } }, respond: { status: 500, code: 'Header' } })
  expect((await app.inject(zip)).statusCode).toBe(200)
  const hits = await app.inject({ ...zip, url: '/stg/us/guest/zipCode?zipCode=10001' })
  expect([hits.statusCode, hits.headers['retry-after']]).toEqual([503, '7'])
  const codeOf = async (request: InjectOptions) => (await app.inject(request)).json().error?.code
  expect(await codeOf({ ...zip, headers: asWeb('web-alice') })).toBe('Alice')
  expect(await codeOf({ ...zip, headers: { ...asGuest(), 'x-test': 'yes' } })).toBe('Header')
  const feedback = { method: 'POST', url: '/stg/us/customerFeedback', headers: asWeb('web-bob') } as const
  expect(await codeOf({ ...feedback, payload: { rating: 1, comment: 'bad' } })).toBe('Body')
  expect(await codeOf({ ...feedback, payload: { rating: 5, comment: 'good' } })).toBeUndefined()
})

test.each([
  [{ match: { operation: 99 }, respond: { reset: true } }, 'is not an operation'],
  [{ match: { operation: 'createSubscripton' }, respond: { reset: true } }, 'nearest is createSubscription'],
  [{ match: { path: '/stg/us/guest/zipcode' }, respond: { reset: true } }, 'nearest is /stg/us/guest/zipCode'],
  [{ match: { operation: 'GET /stg/us/guest/zipcode' }, delayMs: 1 }, 'nearest is GET /stg/us/guest/zipCode'],
  [{ match: { operation: 30.5 }, delayMs: 1 }, 'must be a number of document 1'],
  [{ match: { operation: 30 }, respond: { fault: 301 } }, 'is only for SOAP'],
  [{ match: { operation: 30 }, respond: { resultCode: 'CMN4N8003' } }, 'is only for the wallet'],
  [{ match: { operation: 30 }, respond: { reset: true }, time: 1 }, 'nearest is times'],
  [{ match: { operation: 30 }, respond: { statuss: 500 } }, 'nearest is status'],
  [{ match: { operation: 30 }, respond: { status: '500' } }, 'body.respond is not valid: status must be a number'],
  [{ match: { operation: 30 }, respond: { status: 500, headers: { 'x-y': 1 } } }, 'x-y must be a string or an array'],
  [{ match: { operation: 30 }, respond: { status: 500, headers: { 'x-y': [1] } } }, 'x-y must be a string'],
  [{ match: { operation: 30, header: { ['x'.repeat(201)]: '1' } }, delayMs: 1 }, 'must have at most 200 characters'],
  [{ match: { path: '/wallet/*' }, respond: { resultCode: 'CMN4N803' } }, 'the nearest is CMN4N8003'],
  [{ match: { operation: 30 }, delayMs: 1, when: 'befor' }, 'the nearest is before'],
  [{ match: { operatoin: 30 }, respond: { reset: true } }, 'nearest is operation'],
  [{ match: { operation: 30, path: '/wallet/*' }, respond: { reset: true } }, 'contradict'],
  [{ match: { operation: 30, soapOperation: 'createServiceToken' }, respond: { reset: true } }, 'contradict'],
  [{ match: { operation: 'createServiceToken', method: 'GET' }, respond: { reset: true } }, 'contradict'],
  [{ match: { query: {} }, delayMs: 1 }, 'body.match must have at least one condition'],
  [{ match: { query: { zipCode: '' }, header: {}, body: {} }, delayMs: 1 }, 'must have at least one condition'],
  [{ match: { operation: 30 }, delayMs: { min: 5, max: 1 } }, 'body.delayMs must'],
])('the fault %j is rejected with 400 and a message that suggests the fix', async (payload, words) => {
  const reply = await provoke(buildTestApp().app, payload)
  expect([reply.statusCode, reply.json().error.message]).toEqual([400, expect.stringContaining(words)])
})

test('in worlds with the same seed, random faults affect the same requests', async () => {
  const run = async () => {
    const { app } = buildTestApp({ seed: 'same' })
    await app.inject({ method: 'POST', url: '/_control/faults/profiles/brownout' })
    const statuses: number[] = []
    for (let i = 0; i < 40; i++) statuses.push((await app.inject(zip)).statusCode)
    return statuses
  }
  const first = await run()
  expect(new Set(first)).toEqual(new Set([200, 503]))
  expect(await run()).toEqual(first)
})

test.each(['flaky', 'slow', 'brownout', 'lost-answers', 'gateway', 'maintenance'])(
  'the built-in fault profile %s can be added and gives its name to its faults',
  async (name) => {
    const { app } = buildTestApp()
    const reply = await app.inject({ method: 'POST', url: `/_control/faults/profiles/${name}` })
    expect(reply.json().items[0]).toMatchObject({ name, hits: 0 })
  },
)
