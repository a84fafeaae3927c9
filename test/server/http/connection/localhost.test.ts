import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../../src/server/config.ts'
import { startServer } from '../../../../src/server/server.ts'
import { makeTlsCertificate } from '../../../helpers/tls-certificate.ts'

async function start(settings: Readonly<Record<string, string>> = {}) {
  const server = await startServer(readConfig({ HOST: 'localhost', PORT: '0', ...settings }))
  let closed: Promise<void> | undefined
  const close = () => (closed ??= server.close())
  onTestFinished(close)
  return { port: Number(new URL(server.url).port), url: server.url, close }
}

async function listLoopback(): Promise<string[]> {
  const has = async (address: string) => {
    const server = createServer().listen(0, address)
    const isThere = await once(server, 'listening')
      .then(() => true)
      .catch(() => false)
    server.close()
    return isThere
  }
  return (await has('::1')) ? ['127.0.0.1', '::1'] : ['127.0.0.1']
}

async function open(host: string, port: number): Promise<Socket> {
  const socket = connect(port, host)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

async function readToTheEnd(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`

test('with HOST=localhost the server listens on each loopback address of the machine', async () => {
  const { port, url } = await start()
  expect(url).toBe(`http://localhost:${port}`)
  const isOpen = (host: string) =>
    open(host, port)
      .then(() => true)
      .catch(() => false)
  const tried = await Promise.all(['127.0.0.1', '::1'].map(async (host) => ((await isOpen(host)) ? [host] : [])))
  expect(tried.flat()).toEqual(await listLoopback())
})

test('connections to both loopback addresses share the same limits', async () => {
  const { port } = await start({ MAX_CONNECTIONS: '2' })
  for (const host of await listLoopback()) {
    const fat = await open(host, port)
    fat.write(get('/health/live', 'a: b\r\n'.repeat(200)))
    expect(await readToTheEnd(fat), host).toMatch(/^HTTP\/1\.1 431 .*the request has at least 200 headers/s)
    const odd = await open(host, port)
    odd.write(get('/health/live') + get('/health/live', 'expect: wonders\r\nconnection: close\r\n'))
    expect((await readToTheEnd(odd)).match(/HTTP\/1\.1 \d+/g), host).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417'])
    const others = await Promise.all((await listLoopback()).map((each) => open(each, port)))
    if (others.length < 2) others.push(await open(host, port))
    expect(await readToTheEnd(await open(host, port)), host).toMatch(/^HTTP\/1\.1 503 .*more than 2 connections/s)
    await Promise.all(others.map((other) => once(other.destroy(), 'close')))
    await expect.poll(() => isServed(host, port)).toBe(true)
  }
})

async function isServed(host: string, port: number): Promise<boolean> {
  const socket = await open(host, port)
  socket.write(get('/health/live', 'connection: close\r\n'))
  return (await readToTheEnd(socket)).startsWith('HTTP/1.1 200 ')
}

test('a closing server closes both loopback ports and sends 503 for pending requests', async () => {
  const { port, url, close } = await start()
  const fault = { match: { operation: 30 }, delayMs: 30_000 }
  const body = JSON.stringify(fault)
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${url}/_control/faults`, { method: 'POST', headers, body })).status).toBe(200)
  const hosts = await listLoopback()
  const idle = await Promise.all(hosts.map((host) => open(host, port)))
  const asked = await Promise.all(hosts.map((host) => open(host, port)))
  for (const socket of asked) socket.write(get('/stg/us/guest/zipCode?zipCode=07660', 'request-source: vendor.com\r\n'))
  const count = async () => {
    const status = await fetch(`${url}/_control/faults`).then((reply) => reply.json())
    return (status as { items: { hits: number }[] }).items[0]!.hits
  }
  await expect.poll(count).toBe(hosts.length)
  const replies = asked.map(readToTheEnd)
  const ended = idle.map((socket) => once(socket.resume(), 'close'))
  await close()
  for (const reply of replies) expect(await reply).toMatch(/^HTTP\/1\.1 503 .*the server is closing/s)
  await Promise.all(ended)
  for (const host of hosts) await expect(open(host, port), host).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('with TLS, both loopback addresses accept TLS connections and close plain connections', async () => {
  const { port } = await start(makeTlsCertificate())
  for (const host of await listLoopback()) {
    const plain = await open(host, port)
    plain.write(get('/health/live'))
    expect(await readToTheEnd(plain), host).not.toContain('HTTP/1.1')
    const socket = connectTls({ host, port, rejectUnauthorized: false })
    onTestFinished(() => void socket.destroy())
    socket.write(get('/health/live', 'connection: close\r\n'))
    expect(await readToTheEnd(socket), host).toMatch(/^HTTP\/1\.1 200 /)
  }
})
