import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../../src/server/config.ts'
import { startServer } from '../../../../src/server/server.ts'

test('rejected connections are counted in /metrics and in one warning per second', async () => {
  const lines: { level: number; msg: string; rejected?: number }[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const { url, fetch, close } = await startServer(readConfig({ PORT: '0', MAX_CONNECTIONS: '1' }), { logger })
  onTestFinished(close)
  const open = async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket.resume()
  }
  const first = await open()
  await Promise.all([1, 2, 3].map(async () => once(await open(), 'close')))
  await expect.poll(() => lines, { timeout: 5000 }).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    level: 40,
    rejected: 3,
    msg: 'connections rejected: 3. The limit is 1 (MAX_CONNECTIONS)',
  })
  first.destroy()
  const read = async () => (await fetch(new Request(new URL('/metrics', url)))).text()
  // Until the server has noticed that the first connection is closed, reading the metrics is also rejected.
  await expect.poll(read).toMatch(/^vendor_cloud_rejected_connections_total [3-9]$/m)
})
