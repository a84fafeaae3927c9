import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listen, makeTestApp } from '../../../helpers/build-test-app.ts'
import { ALL, asBearer } from '../../../helpers/documents/events.ts'
import { openStream } from '../../../helpers/documents/stream-reader.ts'

const LARGE = 48 * 1024 * 1024

/** While it is read, produces more data than the buffers of the operating system can hold. */
function* produce() {
  const piece = Buffer.alloc(64 * 1024, 'x')
  for (let left = LARGE; left > 0; left -= piece.length) yield piece
}

async function askForMuch(address: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await once(socket, 'readable')
  return socket
}

async function openIdleStream(address: string) {
  const created = await fetch(`${address}/subscriptions`, {
    method: 'POST',
    headers: asBearer('token-home'),
    body: JSON.stringify({ name: 'test', subscriptionFilters: ALL }),
  })
  const { registrationUrl } = (await created.json()) as { registrationUrl: string }
  const reader = await openStream(registrationUrl)
  await reader.next()
  return reader
}

test('a closing server disconnects clients that read nothing, but completes responses to others', async () => {
  const { app, close } = makeTestApp()
  onTestFinished(close)
  app.get('/large', async () => Readable.from(produce()))
  const address = await listen(app)
  const stream = await openIdleStream(address)
  const ended: string[] = []
  void stream.ended.then(() => ended.push('stream'))
  const accepted = once(app.server, 'connection')
  const silent = await askForMuch(address)
  const [unread] = (await accepted) as [Socket]
  unread.once('close', () => ended.push('silent'))
  const steady = await askForMuch(address)
  const closed = app.close()
  let got = 0
  for await (const chunk of steady) {
    got += (chunk as Buffer).length
    if (!ended.includes('silent')) await pause(5)
  }
  ended.push('steady')
  await closed
  expect(got).toBeGreaterThan(LARGE)
  expect(ended).toEqual(['stream', 'silent', 'steady'])
  expect(silent.readableLength).toBeLessThan(LARGE)
})
