import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { openCompare } from '../../../src/cli/proxy/compare.ts'
import { readNamedHost } from '../../../src/contract/documents/named-hosts.ts'
import { startVendorCloud } from '../../../src/index.ts'
import { beginProxy, HOST, listenAs } from '../../helpers/proxy.ts'
import { readReply, sendRaw } from '../../helpers/raw-request.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profid': 'web-alice', 'content-type': 'application/json' }
const at = (path: string) => `http://${HOST}${path}`
const sink = { write: () => true }
const hosts = [readNamedHost(HOST)]

interface Report {
  calls: number
  left: { writes: number }
  streams: { compared: number; notCompared: number }
  differences: { operation: string; place: string; kind: string }[]
}

/** Starts a comparing proxy. `finish` stops it and returns its report. */
async function begin(upstream: string, options: Record<string, string> = {}) {
  const out = join(makeTemporaryFolder(), 'report.json')
  const given = { upstream, out, rate: '9999', 'allow-writes': 'all', ...options }
  const proxy = await beginProxy(await openCompare(given, hosts, { stdout: sink, stderr: sink }))
  const finish = async () => {
    await proxy.close()
    return JSON.parse(readFileSync(out, 'utf8')) as Report
  }
  return { ...proxy, out, finish }
}

async function startCloud() {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  return cloud
}

const answers = ['upstream', 'emulator'] as const

const sides = answers.flatMap((answer) => ['', '/w/lv'].map((path) => ({ answer, path })))

test.each(sides)(
  'the proxy reports no differences between equal servers with different IDs and base paths: %j',
  async (side) => {
    const { answer, path } = side
    const { url } = await startCloud()
    await (await fetch(`${url}/_control/worlds`, { method: 'POST', body: '{"name":"lv"}', headers })).text()
    const { dispatcher, finish, out } = await begin(url + path, { answer, ...(path !== '' && { url, world: 'lv' }) })
    expect(existsSync(out)).toBe(true)
    for (const zipCode of ['07660', '00000', 'x']) {
      await (await fetch(at(`/stg/us/guest/zipCode?zipCode=${zipCode}`), { headers, dispatcher })).text()
    }
    const bearer = { authorization: 'Bearer token-home' }
    const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
    const made = await fetch(at('/subscriptions'), { method: 'POST', headers: bearer, body, dispatcher })
    const { subscriptionId, registrationUrl } = (await made.json()) as Record<string, string>
    expect(registrationUrl).toMatch(new RegExp(`^http://${HOST}/filters/`))
    const again = await fetch(at(`/subscriptions/${subscriptionId}`), { headers: bearer, dispatcher })
    expect(again.status).toBe(200)
    await again.text()
    const gone = await fetch(at(`/subscriptions/${subscriptionId}`), { method: 'DELETE', headers: bearer, dispatcher })
    expect(gone.status).toBe(204)
    const { calls, differences } = await finish()
    expect([calls, differences]).toEqual([6, []])
  },
)

test('the client gets the upstream response, and the report contains its differences', async () => {
  const { url } = await startCloud()
  const changed = await listenAs(async (request, reply) => {
    request.resume()
    const { status, body } = await fetch(url + request.url!, { headers })
    const text = await new Response(body as ReadableStream).text()
    reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    reply.end(text.replace('"city"', '"town"'))
  })
  const { dispatcher, finish } = await begin(changed)
  const reply = await fetch(at('/stg/us/guest/zipCode?zipCode=07660'), { headers, dispatcher })
  expect(await reply.json()).toHaveProperty('town')
  const { differences } = await finish()
  expect(differences).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ operation: '30', place: 'body.city', kind: 'missing' }),
      expect.objectContaining({ operation: '30', place: 'body.town', kind: 'further' }),
    ]),
  )
})

test.each(answers)(
  'both servers receive the User-Agent of the client if the response comes from the %s',
  async (answer) => {
    const agents: (string | undefined)[] = []
    const listen = () =>
      listenAs((request, reply) => {
        if (request.url!.startsWith('/stg')) agents.push(request.headers['user-agent'])
        reply.setHeader('content-type', 'application/json')
        reply.end('{"status":"ready"}')
      })
    const { dispatcher, finish } = await begin(await listen(), { answer, url: await listen() })
    const own = { ...headers, 'user-agent': 'my-client/1.0' }
    await (await fetch(at('/stg/us/guest/zipCode?zipCode=07660'), { headers: own, dispatcher })).text()
    await finish()
    expect(agents).toEqual(['my-client/1.0', 'my-client/1.0'])
  },
)

test('a write that is not allowed is sent to neither side and is counted', async () => {
  const { url } = await startCloud()
  const { dispatcher, finish, out } = await begin(url, { 'allow-writes': '8' })
  const secret = { ...headers, authorization: 'Bearer CANARY-bearer-7', cookie: 'sid=CANARY-cookie-7' }
  const body = '{"rating":5,"comment":"x"}'
  const refused = await fetch(at('/stg/us/customerFeedback'), { method: 'POST', headers: secret, body, dispatcher })
  expect(refused.status).toBe(403)
  await refused.text()
  await (await fetch(at('/subscriptions/x?key=CANARY-query-7'), { headers: secret, dispatcher })).text()
  const { calls, left } = await finish()
  expect([calls, left.writes]).toEqual([1, 1])
  expect(readFileSync(out, 'utf8')).not.toContain('CANARY')
})

test('a read whose path leaves the upstream path is rejected', async () => {
  const { url } = await startCloud()
  const { port, finish } = await begin(url, { 'allow-writes': '8' })
  const head = `GET http://${HOST}/../../x HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`
  const { status } = readReply(await sendRaw(`http://127.0.0.1:${port}`, head))
  const { calls, left } = await finish()
  expect([status, calls, left.writes]).toEqual([403, 0, 0])
})

test('the proxy reports no differences if both servers return the same image', async () => {
  const image = Buffer.from('89504e470d0a1a0aff00fe', 'hex')
  const listen = () =>
    listenAs((request, reply) => {
      const isReady = request.url!.startsWith('/health')
      reply.setHeader('content-type', isReady ? 'application/json' : 'image/png')
      reply.end(isReady ? '{"status":"ready"}' : image)
    })
  const { dispatcher, finish } = await begin(await listen(), { url: await listen() })
  await (await fetch(at('/stg/us/guest/zipCode?zipCode=07660'), { headers, dispatcher })).arrayBuffer()
  const { calls, differences } = await finish()
  expect([calls, differences]).toEqual([1, []])
})

test('control API calls are sent to neither side, even with a percent-encoded path', async () => {
  const { url } = await startCloud()
  const { port, finish } = await begin(url, { url })
  for (const path of ['/_control/status', '/%5Fcontrol/status', '/w/default/_control/journal?limit=1']) {
    const head = `GET http://${HOST}${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`
    const reply = await sendRaw(`http://127.0.0.1:${port}`, head)
    expect([path, readReply(reply).status, reply]).toEqual([path, 404, expect.stringContaining('is not forwarded to')])
  }
  const { calls, left } = await finish()
  expect([calls, left.writes]).toEqual([0, 0])
})

test('a stream is opened on both sides, and closed on both when the client disconnects', async () => {
  const { url } = await startCloud()
  const { dispatcher, finish } = await begin(url)
  const bearer = { authorization: 'Bearer token-home' }
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const made = await fetch(at('/subscriptions'), { method: 'POST', headers: bearer, body, dispatcher })
  const { subscriptionId } = (await made.json()) as Record<string, string>
  const path = `/filters/${subscriptionId}/activate`
  const stream = await fetch(at(path), { headers: bearer, dispatcher })
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('welcome')
  await reader.cancel()
  await expect
    .poll(async () => (await (await fetch(at(path), { method: 'HEAD', headers: bearer, dispatcher })).text()).length)
    .toBe(0)
  const { differences, streams } = await finish()
  expect(streams).toEqual({ compared: 1, notCompared: 0 })
  expect(differences).toEqual([])
})

test.each([
  [{ answer: 'both' }, 'both is not one of upstream, emulator'],
  [{ out: 'FILE' }, 'file already exists'],
])(
  'the options %j are rejected and an existing file is not changed',
  async (options: Record<string, string>, message) => {
    const file = join(makeTemporaryFolder(), 'there.json')
    writeFileSync(file, 'mine')
    const given = { upstream: 'http://a.example', out: 'x', ...options, ...(options['out'] && { out: file }) }
    await expect(openCompare(given, hosts, { stdout: sink, stderr: sink })).rejects.toThrow(message)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  },
)
