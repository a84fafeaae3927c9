import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { makeAuthority, toPem } from '../../../../src/server/adapters/certificates/authority.ts'
import { toKeyPem } from '../../../../src/server/adapters/certificates/x509.ts'
import { buildApp } from '../../../../src/server/app.ts'
import { connectionBounds } from '../../../../src/server/http/connection/connections.ts'
import { EXAMPLES, findDocs, ROOT } from '../../../../src/server/package-files.ts'
import { listen } from '../../../helpers/build-test-app.ts'
import { asBearer } from '../../../helpers/documents/events.ts'
import { openStream } from '../../../helpers/documents/stream-reader.ts'
import { makeTestPorts } from '../../../helpers/test-ports.ts'

const LARGE = 10
const PAGE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(LARGE)

async function start(options: Partial<Parameters<typeof buildApp>[0]>) {
  const { worlds } = makeTestPorts()
  const docs = { examplesFile: EXAMPLES, projectFolder: ROOT, ...findDocs() }
  const app = buildApp({ worlds, docs, ...options })
  onTestFinished(async () => {
    await app.close()
    await worlds.close()
  })
  return { app, address: await listen(app) }
}

async function open(address: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function newCertificate() {
  const { keys, certificate } = await makeAuthority()
  return { cert: toPem(certificate), key: toKeyPem(keys.privateKey) }
}

test('a TLS connection without a complete handshake is closed and frees its slot', async () => {
  expect(connectionBounds.handshakeTimeout).toBe(10_000)
  const { app, address } = await start({
    tls: await newCertificate(),
    bounds: { handshakeTimeout: 300 },
    maxConnections: 4,
  })
  const left: Promise<unknown>[] = []
  app.server.on('connection', (socket: Socket) => left.push(once(socket, 'close')))
  const begun = ['', '\u0016\u0003\u0001', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', '\u0016']
  const sockets = await Promise.all(begun.map(() => open(address)))
  const ended = sockets.map((socket) => once(socket.resume(), 'close'))
  for (const [i, socket] of sockets.entries()) socket.write(begun[i]!, 'latin1')
  await Promise.all([...ended, ...left])
  const client = connectTls({ port: Number(new URL(address).port), rejectUnauthorized: false })
  onTestFinished(() => void client.destroy())
  client.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
})

test.each([false, true])(
  'a connection is closed only if its client does not read the response (TLS %s)',
  async (isTls) => {
    expect(connectionBounds.readingTimeout).toBe(60_000)
    const tls = isTls ? { tls: await newCertificate() } : {}
    const { app, address } = await start({ ...tls, bounds: { readingTimeout: 600 } })
    const connectTo = async (): Promise<Socket> => {
      if (!isTls) return open(address)
      const socket = connectTls({ port: Number(new URL(address).port), rejectUnauthorized: false })
      onTestFinished(() => void socket.destroy())
      await once(
        socket.on('error', () => {}),
        'secureConnect',
      )
      return socket
    }
    const [accepted] = await Promise.all([
      once(app.server, isTls ? 'secureConnection' : 'connection'),
      connectTo().then((socket) => socket.pause().write(PAGE)),
    ])
    const unread = once(accepted[0] as Socket, 'close')

    const slow = await connectTo()
    slow.write(PAGE.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'))
    let idle: Awaited<ReturnType<typeof openStream>> | undefined
    if (!isTls) {
      const draft = { name: 'test', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
      const created = await fetch(`${address}/subscriptions`, {
        method: 'POST',
        headers: asBearer('token-home'),
        body: JSON.stringify(draft),
      })
      idle = await openStream(((await created.json()) as { registrationUrl: string }).registrationUrl)
      await idle.next()
    }
    let [replies, rest] = [0, '']
    for await (const chunk of slow) {
      const text = rest + String(chunk)
      replies += text.split('HTTP/1.1 200 ').length - 1
      rest = text.slice(-12)
      await pause(1)
    }
    expect(replies).toBe(LARGE)
    await unread
    if (idle) expect(idle.text).toContain('welcome')
    if (idle) expect(await Promise.race([idle.ended, Promise.resolve('open')])).toBe('open')
  },
)
