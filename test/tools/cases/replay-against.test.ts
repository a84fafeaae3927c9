import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { AgainstReport } from '../../../src/tools/cases/player/replay-against.ts'
import { runCommand } from '../../../src/cli/run.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { createTicket, findSlot, soap } from '../../system/acceptance/flow.ts'
import { call } from '../../system/acceptance/server.ts'
import { leaveTwoPlaces, recordCase } from './record-scenarios.ts'

const guest = { 'request-source': 'vendor.com' }
const dealer = { ...guest, 'vendorus-profId': 'dealer-erin' }
const noon = { now: '2026-05-04T12:00:00Z', frozen: true }

/** Sends requests that read and write to the APIs of all three documents, and a request that is rejected. */
async function visit(url: string): Promise<void> {
  const read = (path: string, headers: Record<string, string> = dealer) =>
    call(`${url}${path}`, 'GET', undefined, headers)
  for (const zip of ['07660', '10001', '00000']) await read(`/stg/us/guest/zipCode?zipCode=${zip}`, guest)
  await read('/stg/us/guest/product/validation/490154203237518', guest)
  await read('/stg/us/dealer/stores')
  await read('/stg/us/instore/noauth/taxonomy', guest)
  const { json } = await createTicket(url, await findSlot(url))
  await read(`/stg/us/dealer/tickets/${String(json['srid'])}`)
  const [, token] = /<output>(\w+)</.exec(await soap(url, 'createServiceToken', '<secret>123456789012</secret>')) ?? []
  const inputs = `<purchaseID>purchase-active</purchaseID><serviceToken>${token}</serviceToken>`
  await soap(url, 'getSubscriptionStatus', inputs)
  const body = { name: 's', subscriptionFilters: [{ type: 'LOCATIONIDS', value: ['ALL'] }] }
  const bearer = { authorization: 'Bearer token-home' }
  const { json: made } = await call(`${url}/subscriptions`, 'POST', body, bearer)
  await read(`/subscriptions/${String(made['subscriptionId'])}`, bearer)
}

const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-test-'))
const file = join(folder, 'visit.jsonl')

beforeAll(async () => {
  const server = await startServer(readConfig({ PORT: '0' }))
  writeFileSync(file, await recordCase(server.url, visit, { name: 'visit', seed: 'one', ...noon }))
  await server.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Creates a world with another seed on a separate server. It has as many free places as the world in which the case was
 * recorded.
 */
async function openOther(): Promise<string> {
  const server = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(() => server.close())
  await call(`${server.url}/_control/worlds`, 'POST', { name: 'other', seed: 'two', ...noon })
  const url = `${server.url}/w/other`
  await leaveTwoPlaces(url)
  return url
}

async function replay(...args: string[]): Promise<{ code: number; printed: string; report: AgainstReport }> {
  let printed = ''
  const sink = { write: (text: string) => (printed += text) }
  const code = await runCommand(['replay', file, ...args], { stdout: sink, stderr: sink })
  return { code, printed, report: printed.startsWith('{') ? JSON.parse(printed) : {} }
}

test('a replay against a server with another seed has no differences', async () => {
  const { code, report } = await replay('--against', await openOther(), '--allow-writes', '--json')
  expect(report).toEqual({
    same: true,
    asked: 13,
    left: { writes: 0, control: 0, streams: 0, secrets: 0 },
    groups: [],
  })
  expect(code).toBe(0)
})

/** How responses are changed, so that this server differs from the vendor. The key is a part of the path. */
const doctored: Readonly<Record<string, (reply: Reply) => void>> = {
  'zipCode=07660': ({ body }) => delete body['state'],
  'zipCode=10001': ({ body }) => (body['planet'] = 'Earth'),
  'zipCode=00000': ({ body }) => (body['error'] = { ...Object(body['error']), code: 'Gone' }),
  '/product/validation/': ({ body }) => {
    body['inWarranty'] = 'no'
    body['modelCode'] = 'VM-OTHER'
  },
  '/dealer/stores': ({ body }) => (body['items'] = (body['items'] as unknown[]).toReversed()),
  '/taxonomy': (reply) => (reply.status = 503),
}
interface Reply {
  status: number
  body: Record<string, unknown>
}

async function openDoctored(): Promise<string> {
  const { origin, pathname } = new URL(await openOther())
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const onward = request(origin + url, { method, headers }, async (answer) => {
      const text = await readAll(answer)
      const [, change] = Object.entries(doctored).find(([part]) => url.includes(part)) ?? []
      const reply = { status: answer.statusCode!, body: change ? JSON.parse(text) : {} }
      change?.(reply)
      outgoing.writeHead(reply.status, { 'content-type': answer.headers['content-type'] })
      outgoing.end(change ? JSON.stringify(reply.body) : text)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`
}

test('differences of another server are reported per operation and kind', async () => {
  const against = await openDoctored()
  const { code, report } = await replay('--against', against, '--json')
  expect(code).toBe(1)
  expect(report.groups.map(({ operation, kind, path }) => `${operation} ${kind} ${path}`)).toEqual([
    'GET /stg/us/guest/zipCode missing reply.body.state',
    'GET /stg/us/guest/zipCode further reply.body.planet',
    'GET /stg/us/guest/zipCode error reply.body.error.code',
    'GET /stg/us/guest/product/validation/490154203237518 value reply.body.modelCode',
    'GET /stg/us/guest/product/validation/490154203237518 type reply.body.inWarranty',
    'GET /stg/us/dealer/stores order reply.body.items',
    'GET /stg/us/instore/noauth/taxonomy status reply.status',
    // These records do not exist on the other server.
    'GET /stg/us/dealer/tickets/* status reply.status',
    'GET /subscriptions/* status reply.status',
  ])
  expect(report.left).toEqual({ writes: 4, control: 0, streams: 0, secrets: 0 })
  const { entries } = (await call(`${against}/_control/journal?limit=100`, 'GET')).json as unknown as Journaled
  expect(entries.filter(({ method }) => method !== 'GET')).toEqual([])

  const { printed } = await replay('--against', against)
  expect(printed).toContain('GET /stg/us/guest/zipCode\n  reply.body.state (missing)\n    - "NJ"\n    in step 1\n')
  expect(printed).toMatch(/calls: 9, differences: 9; skipped: 4 that can change data \(--allow-writes\)\n$/)
})
interface Journaled {
  entries: { method: string }[]
}

test('a replay skips a call if neither the case nor --secret contains its secret', async () => {
  const text = readFileSync(file, 'utf8').replaceAll('Bearer token-home', 'Bearer {{token:9}}')
  writeFileSync(file, text)
  const against = await openOther()
  const without = await replay('--against', against, '--allow-writes', '--json')
  expect(without.report.left.secrets).toBeGreaterThan(0)
  const { report } = await replay('--against', against, '--allow-writes', '--json', '--secret', 'token:9=token-home')
  expect(report.left.secrets).toBe(0)
  for (const wrong of [['--secret', 'home', '--against', against], ['--allow-writes'], ['--against', 'nowhere']]) {
    expect(await replay(...wrong)).toMatchObject({ code: 2 })
  }
})

test('a replay that compares no call exits with code 2 and names what it skipped', async () => {
  const [header = '', ...steps] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [header, ...steps.filter((step) => step.includes('"method":"POST"'))].join('\n'))
  const { code, printed } = await replay('--against', 'http://127.0.0.1:9')
  const skipped = 'skipped: 4 that can change data (--allow-writes)\n'
  const message = `${file} has no calls to compare with http://127.0.0.1:9; ${skipped}`
  expect([code, printed]).toEqual([2, expect.stringContaining(message)])
})
