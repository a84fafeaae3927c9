import { createSecureContext } from 'node:tls'
import { createServer, request as open } from 'node:http'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { X509Certificate } from 'node:crypto'
import { Agent, fetch, FormData, ProxyAgent } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../src/cli/proxy/answering.ts'
import { runCommand } from '../../src/cli/run.ts'
import { startVendorCloud, type VendorCloud } from '../../src/index.ts'
import { type HostAuthority, keepHostAuthority } from '../../src/server/adapters/certificates/host-authority.ts'
import { createForwardProxy } from '../../src/tools/proxy/forward-proxy.ts'
import { readNamedHost } from '../../src/contract/documents/named-hosts.ts'
import { relay } from '../../src/tools/proxy/relay.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

const HOST = 'support.vendor.example'
const headers = { 'request-source': 'vendor.com' }
const lookUp = `https://${HOST}/stg/us/guest/zipCode?zipCode=07660`
const hosts = [HOST, 'billing.vendor.example=billing'].map(readNamedHost)

let folder: string
let directory: string
let authority: HostAuthority
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-test-'))
  directory = join(folder, 'ca')
  authority = await keepHostAuthority(
    directory,
    hosts.map(({ host }) => host),
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

async function begin(): Promise<{ cloud: VendorCloud; proxy: string; dispatcher: ProxyAgent }> {
  const cloud = await startVendorCloud()
  const upstream = new Agent()
  const server = createForwardProxy({
    hosts,
    certify: (host) => authority.certify(host, Date.now()),
    answer: (call) => relay({ origin: cloud.url, dispatcher: upstream, headers: { host: call.url.host } }, call),
    now: Date.now,
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const dispatcher = new ProxyAgent({ uri: proxy, requestTls: { ca: authority.certificate } })
  onTestFinished(async () => {
    await dispatcher.destroy()
    server.close()
    server.closeAllConnections()
    await upstream.destroy()
    await cloud.stop()
  })
  return { cloud, proxy, dispatcher }
}

test('an unmodified client works over HTTPS, over HTTP through CONNECT, and with absolute-form requests', async () => {
  const { proxy, dispatcher } = await begin()
  for (const url of [lookUp, lookUp.replace('https', 'http')]) {
    const reply = await fetch(url, { headers, dispatcher })
    expect([reply.status, await reply.json()]).toMatchObject([200, { city: 'Ridgefield Park' }])
  }
  const { hostname, port } = new URL(proxy)
  const request = open({ hostname, port, path: lookUp.replace('https', 'http'), headers: { ...headers, host: HOST } })
  const [reply] = await once(request.end(), 'response')
  expect(reply.statusCode).toBe(200)
  reply.resume()
})

test('the proxy closes a tunnel after 30 s without a complete TLS handshake', async () => {
  const { proxy } = await begin()
  const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
  await once(socket, 'connect')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  socket.write(`CONNECT ${HOST}:443 HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`)
  await once(socket, 'data')
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
  socket.resume().write(Buffer.from([0x16, 3, 1]))
  // After some event-loop ticks, the proxy has read these bytes and waits for the rest.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(30_000)
  await closed
})

test('an incomplete request times out with 408, inside a tunnel and outside one', async () => {
  const certify = () => Promise.reject(new Error('no handshake comes'))
  const server = createForwardProxy({ hosts, certify, answer: async () => {}, now: Date.now })
  Object.assign(server, { headersTimeout: 200, connectionsCheckingInterval: 50 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  const halves = [`CONNECT ${HOST}:80 HTTP/1.1\r\nhost: ${HOST}:80\r\n\r\nGET /x HTTP/1.1\r\nhost:`, 'GET http://x']
  const received = halves.map((half) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(half)
    return text(socket)
  })
  expect(await Promise.all(received)).toEqual([
    expect.stringMatching(/Established\r\n\r\nHTTP\/1\.1 408 /),
    expect.stringMatching(/^HTTP\/1\.1 408 /),
  ])
})

test.each([
  [
    'a request with two Host headers',
    `GET ${lookUp.replace('https', 'http')} HTTP/1.1\r\nhost: ${HOST}\r\nHost: x.example\r\n\r\n`,
    'more than one Host',
  ],
  [
    'CONNECT with two Host headers',
    `CONNECT ${HOST}:443 HTTP/1.1\r\nhost: ${HOST}\r\nHost: x.example\r\n\r\n`,
    'more than one Host',
  ],
  ['CONNECT without a port', `CONNECT ${HOST} HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`, 'has no port'],
  ['CONNECT with port 0', `CONNECT ${HOST}:0 HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`, 'has no port'],
  ['CONNECT with port 99999', `CONNECT ${HOST}:99999 HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`, 'has no port'],
])('the proxy rejects %s with 400', async (_, message, words) => {
  const { proxy } = await begin()
  const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
  socket.write(message)
  const [head] = await once(socket, 'data')
  socket.destroy()
  expect(String(head)).toMatch(/^HTTP\/1\.1 400 /)
  expect(String(head)).toContain(words)
})

test('a CONNECT request inside a tunnel is rejected with 400', async () => {
  const { proxy } = await begin()
  const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
  const connecting = `CONNECT ${HOST}:80 HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`
  socket.write(connecting)
  expect(String((await once(socket, 'data'))[0])).toContain('Established')
  socket.write(connecting)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 /)
  socket.destroy()
})

test('header bytes above 0x7F are forwarded unchanged in both directions', async () => {
  const seen: string[] = []
  const upstream = createServer((request, reply) => {
    seen.push(String(request.headers['x-name']))
    reply.writeHead(200, { 'x-utf8': Buffer.from('é').toString('latin1'), 'x-latin1': 'é' }).end('ü')
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const dispatcher = new Agent()
  const server = createForwardProxy({
    hosts,
    certify: (host) => authority.certify(host, Date.now()),
    answer: (call) => relay({ origin, dispatcher, headers: { host: call.url.host } }, call),
    now: Date.now,
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    await dispatcher.destroy()
    for (const each of [server, upstream]) each.close().closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const headers = { host: HOST, 'x-name': 'Jörg' }
  const [reply] = await once(open({ port, host: '127.0.0.1', path: `http://${HOST}/x`, headers }).end(), 'response')
  expect([reply.headers['x-utf8'], reply.headers['x-latin1'], seen]).toEqual(['Ã©', 'é', ['Jörg']])
  expect(await text(reply)).toBe('ü')
})

test.each([undefined, 'w1'])(
  'links in responses use the scheme of the request, HTTP or HTTPS: world %s',
  async (world) => {
    const cloud = await startVendorCloud()
    const made = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"w1"}' }
    await (await fetch(`${cloud.url}/_control/worlds`, made)).text()
    const answering = await openWorld({ url: cloud.url, ...(world !== undefined && { world }) })
    const certify = (host: string) => authority.certify(host, Date.now())
    const server = createForwardProxy({ hosts, certify, answer: answering.answer, now: Date.now })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const dispatcher = new ProxyAgent({ uri, requestTls: { ca: authority.certificate } })
    onTestFinished(async () => {
      await dispatcher.destroy()
      server.close().closeAllConnections()
      await answering.close()
      await cloud.stop()
    })
    for (const scheme of ['https', 'http']) {
      const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
      const subscribe = { method: 'POST', headers: { authorization: 'Bearer token-home' }, body, dispatcher }
      const reply = await fetch(`${scheme}://${HOST}/subscriptions`, subscribe)
      expect(await reply.json()).toHaveProperty(
        'registrationUrl',
        expect.stringMatching(new RegExp(`^${scheme}://${HOST}/filters/`)),
      )
      const service = `${scheme}://billing.vendor.example/iap/ws/RTCService`
      const wsdl = await fetch(`${service}?wsdl`, { dispatcher })
      expect(await wsdl.text()).toContain(`location="${service}"`)
    }
    const absolute = { port: new URL(uri).port, path: `http://${HOST}:99999/`, headers: { host: HOST } }
    const [odd] = await once(open({ hostname: '127.0.0.1', ...absolute }).end(), 'response')
    expect(odd.resume().statusCode).toBe(502)
  },
)

test('the proxy rejects unknown hosts, APIs that hosts do not serve, and requests to itself', async () => {
  const { proxy, dispatcher } = await begin()
  const foreign = 'x.example is not a host of this proxy: support.vendor.example, billing.vendor.example'
  await expect(fetch('https://x.example/', { dispatcher })).rejects.toMatchObject({
    cause: { cause: { message: expect.stringContaining('403') } },
  })
  const { hostname, port } = new URL(proxy)
  for (const [path, status, words] of [
    ['http://x.example/', 403, foreign],
    [`http://${HOST}.example/`, 403, 'is not a host of this proxy'],
    ['/stg/us/guest/zipCode', 400, 'this is a forward proxy'],
    ['http://billing.vendor.example/stg/us/guest/zipCode', 404, 'billing.vendor.example has no support'],
  ] as const) {
    const request = open({ hostname, port, path, headers: { host: 'x.example' } })
    const [reply] = await once(request.end(), 'response')
    expect(reply.statusCode).toBe(status)
    expect(String(await once(reply, 'data'))).toContain(words)
  }
})

test('the proxy forwards event streams, uploads and connection faults unchanged', async () => {
  const { cloud, proxy, dispatcher } = await begin()
  const body = JSON.stringify({ subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] })
  const bearer = { authorization: 'Bearer token-home' }
  const made = await fetch(`https://${HOST}/subscriptions`, { method: 'POST', headers: bearer, body, dispatcher })
  const { registrationUrl } = (await made.json()) as { registrationUrl: string }
  expect(new URL(registrationUrl).host).toBe(HOST)
  const stream = await fetch(registrationUrl, { dispatcher })
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toContain('welcome')
  await cloud.control('POST', 'devices/aaaaaaaa-0000-4000-8000-000000000001/events', {
    capability: 'switch',
    attribute: 'switch',
    value: 'on',
  })
  expect((await reader.read()).value).toContain('DEVICE_EVENT')
  await reader.cancel()
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(3_900_000)], { type: 'image/jpeg' }), 'wide.jpg')
  const upload = { method: 'POST', headers: { ...headers, 'vendorus-profId': 'web-alice' }, body: form, dispatcher }
  await (await fetch(`https://${HOST}/stg/us/tickets/upload`, upload)).text()
  const [entry] = await cloud.journal({ method: 'POST' })
  expect(entry!.request?.headers).toMatchObject({ 'content-type': expect.stringMatching(/^multipart/) })
  const { hostname, port } = new URL(proxy)
  const ask = () => open({ hostname, port, path: lookUp.replace('https', 'http'), headers: { ...headers, host: HOST } })
  await cloud.faults.add({ match: { operation: 30 }, respond: { reset: true }, times: 1 })
  await expect(once(ask().end(), 'response')).rejects.toMatchObject({ code: 'ECONNRESET' })
  await cloud.faults.add({ match: { operation: 30 }, respond: { cut: 5 }, times: 1 })
  const [cut] = await once(ask().end(), 'response')
  await expect(text(cut)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('connection headers are not forwarded, and all other headers are forwarded unchanged', async () => {
  const seen: string[][] = []
  const upstream = createServer((request, reply) => {
    seen.push(request.rawHeaders)
    reply.writeHead(200, { 'X-Own': 'a', connection: 'x-hop', 'x-hop': '1', 'set-cookie': ['a=1', 'b=2'] }).end('ok')
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const dispatcher = new Agent()
  const front = createServer((request, reply) => {
    const url = { protocol: 'http:' as const, host: 'vendor.example', path: request.url! }
    void relay({ origin, dispatcher, headers: { host: url.host } }, { url, request, reply })
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    await dispatcher.destroy()
    for (const server of [front, upstream]) server.close().closeAllConnections()
  })
  const { port } = front.address() as AddressInfo
  const own = {
    'X-Client': 'b',
    Connection: 'x-secret',
    'x-secret': '2',
    'Proxy-Authorization': 'Basic x',
    TE: 'trailers',
  }
  const [reply] = await once(open({ port, host: '127.0.0.1', headers: own }).end(), 'response')
  reply.resume()
  expect(reply.rawHeaders).toEqual(expect.arrayContaining(['X-Own', 'a']))
  expect(reply.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'] })
  expect(reply.headers).not.toHaveProperty('x-hop')
  expect(seen[0]).toEqual(expect.arrayContaining(['X-Client', 'b', 'host', 'vendor.example']))
  expect(seen[0]!.map((name) => name.toLowerCase())).not.toEqual(expect.arrayContaining(['x-secret']))
  expect(seen[0]!.join(' ')).not.toMatch(/Basic|trailers/)
})

test('the authority issues certificates for its hosts that are valid for seven days', async () => {
  const { key, cert, until } = await authority.certify(HOST, Date.parse('2026-05-06T16:00:00Z'))
  const leaf = new X509Certificate(cert)
  expect(until).toBe(Date.parse('2026-05-13T16:00:00Z'))
  expect([leaf.validTo, leaf.subjectAltName]).toEqual(['May 13 16:00:00 2026 GMT', `DNS:${HOST}`])
  expect(leaf.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true)
  expect(() => createSecureContext({ key, cert })).not.toThrow()
  expect(authority.hosts).toEqual([HOST, 'billing.vendor.example'])
  expect(statSync(join(directory, 'authority.pem')).mode & 0o077).toBe(0)
  expect(readFileSync(authority.file, 'utf8')).not.toContain('PRIVATE')
})

async function run(...args: string[]) {
  let [out, err] = ['', '']
  const code = await runCommand(['proxy', ...args], {
    stdout: { write: (piece) => (out += piece) },
    stderr: { write: (piece) => (err += piece) },
  })
  return { code, out, err }
}

test('proxy ca prints the certificate and instructions for trusting it', async () => {
  const { code, out } = await run('ca', '--host', `a.${HOST}`, '--ca', directory)
  expect([code, out.startsWith(authority.certificate)]).toEqual([0, true])
  for (const word of ['curl', 'NODE_EXTRA_CA_CERTS', 'keytool', 'REQUESTS_CA_BUNDLE', 'Go']) expect(out).toContain(word)
  const other = await run('ca', '--host', 'other.example', '--ca', directory)
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('only support.vendor.example')])
})

test('proxy ca without --host prints an existing authority, but does not create one', async () => {
  const { code, out } = await run('ca', '--ca', directory)
  expect([code, out.startsWith(authority.certificate)]).toEqual([0, true])
  const folder = makeTemporaryFolder()
  const none = await run('ca', '--ca', join(folder, 'ca'))
  expect([none.code, none.err, readdirSync(folder)]).toEqual([2, expect.stringContaining('--host is missing'), []])
})

test('an invalid authority is reported with its file and how to fix the problem', async () => {
  const folder = makeTemporaryFolder()
  writeFileSync(join(folder, 'authority.pem'), 'none')
  const { code, err } = await run('ca', '--host', HOST, '--ca', folder)
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`${join(folder, 'authority.pem')} does not contain an authority. Delete it`),
  ])
})

test('proxy creates no files if the world does not exist or the server is unreachable', async () => {
  const { url, stop } = await startVendorCloud()
  onTestFinished(() => stop())
  const folder = makeTemporaryFolder()
  for (const args of [
    ['--url', url, '--world', 'none'],
    ['--url', `${url}/w/none`],
    ['--url', 'http://127.0.0.1:9'],
  ]) {
    const { code, err } = await run('--host', HOST, ...args, '--ca', join(folder, 'ca'))
    expect([code, err]).toEqual([2, expect.stringMatching(/none|127\.0\.0\.1:9/)])
  }
  expect(readdirSync(folder)).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'an authority that other users can read is rejected with the command that fixes this',
  async () => {
    const folder = makeTemporaryFolder()
    const file = join(folder, 'authority.pem')
    copyFileSync(join(directory, 'authority.pem'), file)
    chmodSync(file, 0o644)
    const { code, err } = await run('ca', '--host', HOST, '--ca', folder)
    expect([code, err]).toEqual([2, expect.stringContaining(`Run chmod 600 '${file}'`)])
    chmodSync(file, 0o600)
    expect((await run('ca', '--host', HOST, '--ca', folder)).code).toBe(0)
  },
)

test.each([
  [[], '--host is missing'],
  [['--host', '10.0.0.1'], '10.0.0.1 is not a host name'],
  [['--host', 'a b'], 'a b is not a host name'],
  [['--host', `${HOST}=supprt`], 'did you mean support?'],
  [['--host', HOST, '--listen', 'nowhere'], '--listen nowhere is not a valid address'],
  [['--host', HOST, '--mode', 'emulat'], 'emulat is not one of'],
  [['--host', HOST, '--out', 'x'], '--out cannot be used with --mode emulate'],
  [['--host', HOST, '--mode', 'record', '--world', 'x'], '--world cannot be used with --mode record'],
  [['--host', HOST, '--mode', 'record', '--upstream', 'http://a.example'], '--mode record requires --out FILE'],
  [['--host', HOST, '--mode', 'compare', '--out', 'x'], '--mode compare requires --upstream URL'],
])('proxy with the arguments %j exits with code 2 and creates no file', async (args, message) => {
  const folder = makeTemporaryFolder()
  const { code, err } = await run(...args, '--ca', join(folder, 'ca'))
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
  expect(readdirSync(folder)).toEqual([])
})
