import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createServedTools } from '../../../src/cli/mcp/served-tools.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'

const VERIFY = '/_control/journal/verify'

test('a running tool call is cancelled when its client disconnects', async () => {
  const lines: { msg: string; path?: string; status?: number }[] = []
  const logger = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) })
  const asked: string[] = []
  const server = await startServer(readConfig({ PORT: '0' }), {
    logger,
    mcp: (ground) =>
      createServedTools({
        ...ground,
        fetch: (request) => {
          asked.push(new URL(request.url).pathname)
          return ground.fetch(request)
        },
      }),
  })
  onTestFinished(() => server.close())
  const leaving = new AbortController()
  const params = { name: 'verify', arguments: { match: { method: 'GET' }, withinMs: 60_000 } }
  const reply = fetch(`${server.url}/_control/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    signal: leaving.signal,
  }).then((answer) => answer.text())
  await expect.poll(() => asked, { timeout: 20_000 }).toEqual([`/w/default${VERIFY}`])
  leaving.abort()
  await expect(reply).rejects.toThrow('abort')
  const told = () => lines.filter(({ msg, path }) => msg === 'request' && path === VERIFY)
  const statuses = () => told().map(({ path, status }) => [path, status])
  await expect.poll(statuses, { timeout: 20_000 }).toEqual([[VERIFY, 499]])
})
