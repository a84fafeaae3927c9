import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../../src/cli/run.ts'
import { keepHostAuthority } from '../../../src/server/adapters/certificates/host-authority.ts'
import { relay } from '../../../src/tools/proxy/relay.ts'
import { beginProxy, beginRecord, HOST } from '../../helpers/proxy.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'

const DAY = 24 * 60 * 60 * 1000

/** Starts a vendor that has this certificate. Returns the requests that the vendor received. */
async function listenWith(host: string, now = Date.now()) {
  const authority = await keepHostAuthority(makeTemporaryFolder(), ['localhost', 'other.example'])
  const { key, cert } = await authority.certify(host, now)
  const reached: string[] = []
  const server = createServer({ key, cert }, (request, reply) => {
    reached.push(`${request.method} ${request.url}`)
    reply.end('{}')
  })
  await once(server.listen(0, 'localhost'), 'listening')
  onTestFinished(() => server.close().closeAllConnections())
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, reached, ca: authority.certificate }
}

const ask = { headers: { authorization: 'Bearer CANARY' } }

test.each([
  ['that is valid', 'localhost', 0, 200, '{}'],
  ['that has expired', 'localhost', -30 * DAY, 502, 'is not trusted: its certificate has expired'],
  ['that is not valid yet', 'localhost', 30 * DAY, 502, 'is not trusted: its certificate is not valid yet'],
  ['for another host', 'other.example', 0, 502, 'is not trusted: its certificate is for another host'],
])(
  'the proxy sends requests only to an upstream with a valid certificate: a certificate %s',
  async (_, host, ahead, status, says) => {
    const { origin, reached, ca } = await listenWith(host, Date.now() + ahead)
    const dispatcher = new Agent({ connect: { ca } })
    const answer = { about: {}, close: () => dispatcher.destroy() }
    const proxy = await beginProxy({
      ...answer,
      answer: (call) => relay({ origin, dispatcher, headers: { host: new URL(origin).host } }, call),
    })
    const reply = await fetch(`http://${HOST}/a`, { ...ask, dispatcher: proxy.dispatcher })
    expect([reply.status, await reply.text()]).toEqual([status, expect.stringContaining(says)])
    expect(reached).toEqual(status === 200 ? ['GET /a'] : [])
  },
)

test('the proxy and compare both report an untrusted authority in a one-line error', async () => {
  const { origin, reached } = await listenWith('localhost')
  const words = `${origin} is not trusted: its certificate is not signed by a trusted authority`
  const { dispatcher } = await beginRecord(origin)
  const reply = await fetch(`http://${HOST}/a`, { ...ask, dispatcher })
  expect([reply.status, await reply.json()]).toMatchObject([
    502,
    { error: { message: expect.stringContaining(words) } },
  ])
  const file = join(makeTemporaryFolder(), 'case.jsonl')
  const step = { step: 1, at: '2026-05-06T16:00:00.000Z', call: { method: 'GET', path: '/a', ...ask }, reply: {} }
  writeFileSync(file, `{"case":2,"origin":"upstream"}\n${JSON.stringify(step)}\n`)
  let said = ''
  const sink = { write: (piece: string) => (said += piece) }
  expect(await runCommand(['compare', file, '--upstream', origin], { stdout: sink, stderr: sink })).toBe(2)
  expect(said).toMatch(/^vendor-cloud: .*\n$/)
  expect(said).toContain(words)
  expect(reached).toEqual([])
})
