import { expect, test } from 'vitest'
import { startServer } from '../../helpers/running-server.ts'

const HEAP = ['--max-old-space-size=512', 'dist/main.js']

const json = { 'content-type': 'application/json' }
const wrong = (text: string, count: number) => `[${Array(count).fill(text).join(',')}]`

test('large invalid bodies return 400 with at most 100 errors on a small heap', async () => {
  const url = await startServer({}, { program: HEAP })
  const send = (method: string, path: string, body: string, headers = {}) =>
    fetch(url + path, { method, headers: { ...json, ...headers }, body })
  const draft = {
    user: 'alex',
    scopes: ['r:devices:*'],
    locations: ['11111111-0000-4000-8000-000000000001'],
    expiresIn: 600,
  }
  const token = (await (await send('POST', '/_control/tokens', JSON.stringify(draft))).json()) as {
    accessToken: string
  }
  const bearer = { authorization: `Bearer ${token.accessToken}` }
  const requests: [string, string, string, object][] = [
    ['POST', '/subscriptions', `{"name":"n","version":1,"subscriptionFilters":${wrong('1', 340_000)}}`, bearer],
    ['POST', '/subscriptions', `{"name":"n","version":1,"subscriptionFilters":${wrong('{}', 4_900)}}`, bearer],
    ['PUT', '/_control/records/tickets/4100000017', `{"images":${wrong('{}', 340_000)}}`, {}],
    ['PUT', '/_control/records/serviceCenters/ASC001', `{"hours":${wrong('{}', 4_900)}}`, {}],
    [
      'PUT',
      '/_control/snapshot',
      `{"schemaVersion":2,"clock":{"offsetMs":0}}\n${'{"collection":"tickets","record":{}}\n'.repeat(500_000)}`,
      {},
    ],
  ]
  for (const [method, path, body, headers] of requests) {
    const reply = await send(method, path, body, headers)
    const text = await reply.text()
    expect([reply.status, text.length < 100_000], `${method} ${path} ${body.slice(0, 80)}`).toEqual([400, true])
    expect((JSON.parse(text) as { error: { details: unknown[] } }).error.details.length).toBeLessThanOrEqual(100)
  }
})
