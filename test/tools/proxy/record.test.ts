import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { request as open } from 'node:http'
import { once } from 'node:events'
import { Client, fetch, FormData } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { openRecord } from '../../../src/cli/proxy/upstream.ts'
import { replayText } from '../../../src/cli/cases/replay.ts'
import { parseCase } from '../../../src/contract/files/case.ts'
import { startVendorCloud } from '../../../src/index.ts'
import { beginRecord, HOST, listenAs } from '../../helpers/proxy.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const headers = { 'request-source': 'vendor.com', 'vendorus-profid': 'web-alice' }
const lookUp = `http://${HOST}/stg/us/guest/zipCode?zipCode=07660`
const LIGHT = 'aaaaaaaa-0000-4000-8000-000000000001'

async function startCloud() {
  const cloud = await startVendorCloud()
  onTestFinished(() => cloud.stop())
  return cloud
}

async function until(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue, { timeout: 5000, interval: 5 }).toBe(true)
}

test('the proxy writes each call to the case when it happens', async () => {
  const { url } = await startCloud()
  const { dispatcher, out } = await beginRecord(url)
  expect(readFileSync(out, 'utf8')).toBe('{"case":2,"origin":"upstream"}\n')
  expect(statSync(out).mode & 0o077).toBe(0)
  await (await fetch(lookUp, { headers, dispatcher })).text()
  const body = '{"rating":5,"comment":"größer"}'
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body, dispatcher }
  await (await fetch(`http://${HOST}/stg/us/customerFeedback`, sent)).text()
  const { steps } = parseCase(readFileSync(out, 'utf8'))
  expect(steps).toMatchObject([
    {
      step: 1,
      call: { method: 'GET', path: '/stg/us/guest/zipCode?zipCode=07660', headers: { host: HOST, ...headers } },
      reply: { status: 200, body: expect.stringContaining('Ridgefield Park') },
    },
    { step: 2, call: { method: 'POST', body }, reply: { status: 200 } },
  ])
  expect(Object.keys(steps[0]!)).toEqual(['step', 'at', 'call', 'reply'])
  const { first } = await replayText(readFileSync(out, 'utf8'))
  // The replay generates other IDs. Everything else in the two responses comes from the upstream.
  expect(first?.step).toBe(2)
  expect(first?.differences.map(({ path }) => path)).toEqual(['reply.body.feedbackId'])
})

test('control API calls are not forwarded and not recorded', async () => {
  const { url } = await startCloud()
  const { dispatcher, out } = await beginRecord(url)
  const reply = await fetch(`http://${HOST}/_control/reset`, { method: 'POST', dispatcher })
  expect([reply.status, await reply.text()]).toEqual([404, expect.stringContaining('the control API is not forwarded')])
  expect(readFileSync(out, 'utf8')).toBe('{"case":2,"origin":"upstream"}\n')
})

test('links in responses lead to the proxy, without the base path of the upstream', async () => {
  const { url } = await startCloud()
  await (await fetch(`${url}/_control/worlds`, { method: 'POST', body: '{"name":"lv"}', headers })).text()
  const { dispatcher } = await beginRecord(`${url}/w/lv`)
  const bearer = { authorization: 'Bearer token-home' }
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const made = await fetch(`http://${HOST}/subscriptions`, { method: 'POST', headers: bearer, body, dispatcher })
  const { registrationUrl } = (await made.json()) as { registrationUrl: string }
  expect(registrationUrl).toMatch(new RegExp(`^http://${HOST}/filters/`))
  const stream = await fetch(registrationUrl, { dispatcher })
  expect(stream.status).toBe(200)
  await stream.body!.cancel()
})

test('500 events over 5 reconnects pass the proxy and are in the case in order', async () => {
  const cloud = await startCloud()
  const { dispatcher, out } = await beginRecord(cloud.url)
  const bearer = { authorization: 'Bearer token-home' }
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const made = await fetch(`http://${HOST}/subscriptions`, { method: 'POST', headers: bearer, body, dispatcher })
  const { registrationUrl, subscriptionId } = (await made.json()) as Record<string, string>
  // The proxy has rewritten the links of the upstream to its own host.
  expect(registrationUrl).toMatch(new RegExp(`^http://${HOST}/filters/`))
  const seen: string[] = []
  let last: string | undefined
  let sent = 0
  for (let cut = 0; cut <= 5; cut++) {
    const resume = last === undefined ? {} : { 'last-event-id': last }
    const stream = await fetch(registrationUrl!, { headers: resume, dispatcher })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    const wanted = cut === 5 ? 500 : (cut + 1) * 83
    for (; sent < wanted; sent++) await cloud.control('POST', `devices/${LIGHT}/events`, event(sent))
    while (seen.length < wanted) {
      const { value = '', done } = await reader.read()
      if (done) break
      const parts = (rest + value).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        const [, id] = /^id:\s?(.*)$/m.exec(part) ?? []
        if (id !== undefined) last = id
        if (part.includes('DEVICE_EVENT')) seen.push(/"value":"?(\d+)/.exec(part)![1]!)
      }
    }
    if (cut === 2) await cloud.control('POST', `streams/${subscriptionId}/chaos`, { action: 'drop' })
    await reader.cancel().catch(() => {})
  }
  const all = Array.from({ length: 500 }, (_, i) => String(i))
  expect(seen).toEqual(all)
  await until(() => readFileSync(out, 'utf8').split('"closed"').length === 7)
  const { steps } = parseCase(readFileSync(out, 'utf8'))
  const frames = steps.flatMap((step) => ('frame' in step && step.frame.event === 'DEVICE_EVENT' ? [step.frame] : []))
  const values = frames.map(({ data }) => String((data as { deviceEvent: { value: unknown } }).deviceEvent.value))
  expect([...new Set(values)]).toEqual(all)
  expect(frames[0]).toMatchObject({ subscriptionId, id: expect.any(String) })
  expect(readFileSync(out, 'utf8')).not.toContain(new URL(registrationUrl!).searchParams.get('key'))
})

const event = (value: number) => ({ capability: 'switchLevel', attribute: 'level', value, force: true })

test('the case contains the same placeholder everywhere instead of an issued secret', async () => {
  const canaries: string[] = []
  const canary = (name: string) => canaries[canaries.push(`CANARY-${name}-7f3q8g2h4k`) - 1]!
  const issued = canary('issued')
  const cookie = canary('cookie')
  const upstream = await listenAs((request, reply) => {
    request.resume()
    reply.setHeader('set-cookie', `session=${cookie}; Path=/; Domain=127.0.0.1`)
    reply.setHeader('content-type', 'application/json')
    reply.end(gzipOf(request.headers['accept-encoding'], reply, JSON.stringify({ accessToken: issued, plain: 'seen' })))
  })
  const { dispatcher, out, port } = await beginRecord(upstream)
  const first = await fetch(`http://${HOST}/login?api_key=${canary('query')}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${canary('bearer')}`,
      'x-api-key': canary('header'),
      cookie: `a=${canary('jar')}`,
    },
    body: new URLSearchParams({ password: canary('form') }),
    dispatcher,
  })
  expect(await first.json()).toEqual({ accessToken: issued, plain: 'seen' })
  await (await fetch(`http://${HOST}/path/${issued}?x=${cookie}`, { dispatcher })).text()
  const proxied = { 'proxy-authorization': `Basic ${canary('proxy')}`, host: HOST }
  const [reply] = await once(open({ port, host: '127.0.0.1', path: lookUp, headers: proxied }).end(), 'response')
  await text(reply)
  const written = readFileSync(out, 'utf8')
  for (const each of canaries) expect(written).not.toContain(each)
  const { steps } = parseCase(written)
  const [, second] = steps
  const marks = /\/path\/(\{\{token:\d+\}\})\?x=(\{\{token:\d+\}\})/.exec(JSON.stringify(second))!
  expect(JSON.stringify(steps[0])).toContain(marks[1])
  expect(JSON.stringify(steps[0])).toContain(marks[2])
  expect(written).toContain('seen')
})

function gzipOf(accepted: unknown, reply: { setHeader(name: string, value: string): unknown }, body: string): Buffer {
  if (!String(accepted).includes('gzip')) return Buffer.from(body)
  reply.setHeader('content-encoding', 'gzip')
  return gzipSync(body)
}

test('writes are not sent to the upstream unless allowed, and the error names the operation', async () => {
  const seen: string[] = []
  const upstream = await listenAs((request, reply) => {
    seen.push(`${request.method} ${request.url}`)
    request.resume().once('end', () => reply.end('{}'))
  })
  const { dispatcher, out } = await beginRecord(`${upstream}/base/`, { 'allow-writes': '4,8' })
  const ask = async (method: string, path: string, more: { body?: string | Buffer; headers?: object } = {}) => {
    const given = { 'content-type': 'text/xml', ...more.headers }
    const reply = await fetch(`http://${HOST}${path}`, { method, ...more, headers: given, dispatcher })
    return [reply.status, await reply.text()]
  }
  const soap = (name: string) => `<s:Envelope><s:Body> <!-- x --><w:${name}/></s:Body></s:Envelope>`
  expect(await ask('DELETE', '/stg/us/instore/cancel?srid=1')).toEqual([
    403,
    expect.stringContaining('operation 31 can change data at 127.0.0.1'),
  ])
  expect(await ask('DELETE', '/unknown')).toEqual([403, expect.stringContaining('DELETE /unknown')])
  expect(await ask('GET', '/x', { headers: { 'x-http-method-override': 'DELETE' } })).toEqual([403, expect.any(String)])
  expect(await ask('POST', '/iap/ws/RTCService', { body: soap('cancelSubscription') })).toEqual([
    403,
    expect.any(String),
  ])
  expect(await ask('POST', '/iap/ws/RTCService', { body: 'x'.repeat(2 ** 21) })).toEqual([413, expect.any(String)])
  expect(seen).toEqual([])
  const packed = { body: gzipSync(soap('createServiceToken')), headers: { 'content-encoding': 'gzip' } }
  for (const [method, path, more] of [
    ['GET', '/a?b=c'],
    ['HEAD', '/a'],
    ['OPTIONS', '/a'],
    ['POST', '/stg/us/customerFeedback', { body: '{}' }],
    ['POST', '/iap/ws/RTCService', { body: soap('getSubscriptionStatus') }],
    ['POST', '/iap/ws/RTCService', { body: Buffer.from(`\ufeff${soap('getSubscriptionStatus')}`, 'utf16le') }],
    ['POST', '/iap/ws/RTCService', packed],
  ] as const) {
    await ask(method, path, more)
  }
  expect(seen).toHaveLength(7)
  expect(seen[0]).toBe('GET /base/a?b=c')
  expect(parseCase(readFileSync(out, 'utf8')).steps).toHaveLength(7)
})

test('a path cannot leave the upstream or reach another host through a tunnel', async () => {
  const seen: string[] = []
  const upstream = await listenAs((request, reply) => {
    seen.push(request.url!)
    reply.end('{}')
  })
  const { port, out } = await beginRecord(`${upstream}/base`, { 'allow-writes': undefined })
  const ask = async (path: string) => {
    const [reply] = await once(open({ port, host: '127.0.0.1', path: `http://${HOST}${path}` }).end(), 'response')
    return [reply.statusCode, await text(reply)]
  }
  for (const path of ['/..', '/../admin', '/a/../../admin', '/%2e%2e/admin', '/..%2fadmin', '/..;/admin']) {
    expect(await ask(path)).toEqual([403, expect.stringContaining('this path is outside 127.0.0.1')])
  }
  expect(seen).toEqual([])
  expect(await ask('/a/../b?c=/../d')).toEqual([200, '{}'])
  expect(seen).toEqual(['/base/a/../b?c=/../d'])
  expect(parseCase(readFileSync(out, 'utf8')).steps).toMatchObject([{ call: { path: '/a/../b?c=/../d' } }])
  const tunnel = new Client(`http://${HOST}`, {
    connect: (_, done) => {
      const connection = open({ port, host: '127.0.0.1', method: 'CONNECT', path: `${HOST}:80` }).end()
      connection.once('connect', (_reply, end) => done(null, end))
    },
  })
  onTestFinished(() => tunnel.destroy())
  const inside = async (path: string) => {
    const { statusCode, body } = await tunnel.request({ method: 'GET', path })
    return [statusCode, await body.text()]
  }
  expect(await inside('http://other.example/x')).toEqual([403, expect.stringContaining('other.example differs')])
  expect(await inside(`http://${HOST}/x`)).toEqual([200, '{}'])
  expect(seen.at(-1)).toBe('/base/x')
})

test('the proxy continues to forward uploads after a case ends at 32 MB', async () => {
  let bytes = 0
  const upstream = await listenAs((request, reply) => {
    bytes = 0
    request.on('data', (piece: Buffer) => (bytes += piece.length)).once('end', () => reply.end('{}'))
  })
  const { dispatcher, out, told } = await beginRecord(upstream)
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(4_000_000).fill(0xd8)], { type: 'image/jpeg' }), 'wide.jpg')
  for (let i = 0; i < 9; i++) {
    await (await fetch(`http://${HOST}/stg/us/tickets/upload`, { method: 'POST', body: form, dispatcher })).text()
    expect(bytes).toBeGreaterThan(4_000_000)
  }
  const { steps, ended } = parseCase(readFileSync(out, 'utf8'))
  expect(steps.length).toBeGreaterThan(3)
  expect(statSync(out).size).toBeLessThan(33 * 1024 * 1024)
  expect(ended).toBe('it has reached 33554432 bytes')
  expect(told).toEqual([expect.stringContaining('The proxy continues')])
})

test('dropped, cut and binary responses are marked in the case', async () => {
  const upstream = await listenAs((request, reply) => {
    if (request.url === '/lost') reply.socket!.resetAndDestroy()
    else if (request.url === '/cut') {
      reply.writeHead(200, { 'content-length': '100', 'content-type': 'text/plain' }).write('half')
      setImmediate(() => reply.socket!.destroy())
    } else reply.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0x89, 0x50, 0xff, 0xfe]))
  })
  const { dispatcher, out, port } = await beginRecord(upstream)
  const raw = (path: string) =>
    open({ port, host: '127.0.0.1', path: `http://${HOST}${path}`, headers: { host: HOST } })
  await expect(once(raw('/lost').end(), 'response')).rejects.toMatchObject({ code: 'ECONNRESET' })
  const [cut] = await once(raw('/cut').end(), 'response')
  const came: Buffer[] = []
  cut.on('data', (piece: Buffer) => came.push(piece))
  await expect(once(cut, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(String(Buffer.concat(came))).toBe('half')
  expect((await (await fetch(`http://${HOST}/image`, { dispatcher })).arrayBuffer()).byteLength).toBe(4)
  const replies = parseCase(readFileSync(out, 'utf8')).steps.map((step) => 'call' in step && step.reply)
  expect(replies).toMatchObject([{}, { status: 200, body: undefined, cut: true }, { status: 200 }])
  expect(readFileSync(out, 'utf8')).toContain('"body":{"dropped":"unparsable","bytes":4}')
  expect([Object.keys(replies[0]!), 'body' in (replies[2] as object)]).toEqual([[], false])
})

test.each([
  [{}, '--mode record requires --upstream URL'],
  [{ upstream: 'http://a.example' }, '--mode record requires --out FILE'],
  [{ upstream: 'http://a.example', out: '-' }, '--mode record requires --out FILE'],
  [{ upstream: 'ftp://a.example', out: 'x' }, 'is not a valid URL'],
  [{ upstream: 'http://u:p@a.example', out: 'x' }, 'without user'],
  [{ upstream: 'http://a.example', out: 'x', rate: '0' }, '--rate 0 is not a whole number'],
  [
    { upstream: 'http://a.example', out: 'x', 'allow-writes': '8,createSubscribtion' },
    'did you mean createSubscription?',
  ],
  [{ upstream: 'http://a.example', out: 'x', 'allow-writes': '30' }, '30 is not an operation that writes'],
  [{ upstream: 'http://a.example', out: 'FOLDER/there.jsonl' }, 'file already exists'],
])(
  'a recording with the options %j is rejected, and an existing file is not changed',
  async (options: Record<string, string>, message) => {
    const folder = makeTemporaryFolder()
    writeFileSync(join(folder, 'there.jsonl'), 'mine')
    const out = options['out']?.replace('FOLDER', folder)
    const sink = { write: () => true }
    await expect(openRecord({ ...options, out }, { stdout: sink, stderr: sink })).rejects.toThrow(message)
    expect(readFileSync(join(folder, 'there.jsonl'), 'utf8')).toBe('mine')
  },
)
