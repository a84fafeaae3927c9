import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createServedTools } from '../../../src/cli/mcp/served-tools.ts'
import { readConfig } from '../../../src/server/config.ts'
import type { JobQueue } from '../../../src/server/ports/job-queue.ts'
import { startServer } from '../../../src/server/server.ts'
import { connectAgent, overHttp } from '../../helpers/mcp-client.ts'
import type { Description } from '../../helpers/openapi-examples.ts'

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

test('replays and HAR conversions are rejected while the job queue is full', async () => {
  let jobs: JobQueue | undefined
  const server = await startServer(readConfig({ PORT: '0' }), {
    mcp: (context) => {
      jobs = context.jobs
      return createServedTools(context)
    },
  })
  onTestFinished(() => server.close())
  const { call } = await connectAgent(overHttp(server.url))
  await call('case', { action: 'record' })
  await call('call', { operation: 30, query: { zipCode: '07660' } })
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const filling = Array.from({ length: 52 }, () => jobs!.run(() => ended))
  const text = '2 large jobs are running and 50 are waiting. Try again later'
  for (const input of [{ action: 'replay' }, { action: 'show', format: 'har' }]) {
    expect([input, await call('case', input)]).toMatchObject([input, { isError: true, text }])
  }
  expect((await fetch(`${server.url}/_control/journal?format=har`)).status).toBe(429)
  end()
  await Promise.all(filling)
  expect((await call('case', { action: 'replay' })).value).toMatchObject({ same: true })
})

test('POST /_control/mcp returns the declared 406 if Accept lacks a required type', async () => {
  const server = await startServer(readConfig({ PORT: '0' }), { mcp: createServedTools })
  onTestFinished(() => server.close())
  const description = await fetch(`${server.url}/openapi/control.json`)
  const { paths } = (await description.json()) as Description
  expect(paths['/_control/mcp']!['post']!.responses).toHaveProperty('406')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  for (const accept of ['application/json', 'text/event-stream', 'text/html']) {
    const headers = { 'content-type': 'application/json', accept }
    const reply = await fetch(`${server.url}/_control/mcp`, { method: 'POST', headers, body })
    const error = { message: expect.stringContaining('Client must accept both') }
    expect([accept, reply.status, await reply.json()]).toMatchObject([accept, 406, { error }])
  }
})
