import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ExampleRequest } from '../../../scripts/writers/example-request.ts'
import { exampleRequests } from '../../../scripts/writers/openapi-examples.ts'
import { operationTable } from '../../helpers/operation-table.ts'
import { call, SECRET } from '../../helpers/soap.ts'
import { NOON } from './bookings.ts'
import { CONTROL_KEY, type Installation, install, send } from './installation.ts'
import { REFUSED_WITHIN } from './servers.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

type Example = { parameters: Record<string, unknown>; body?: unknown }
/** What the server fills in when it serves an example, for the day after NOON. */
const VALUES: Readonly<Record<string, string>> = {
  inStoreDate: '2026-05-07',
  inStoreTime: '09:00',
  appointmentDate: '2026-05-07',
  timeSlot: 'ASC001-2026-05-07-AM',
}
const text = readFileSync(join(import.meta.dirname, '../../../openapi/examples.json'), 'utf8')
const examples = JSON.parse(text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => VALUES[name] ?? name)) as Record<
  string,
  Example
>

/** A call of each operation that succeeds while the engines are there. */
const calls = exampleRequests(new Map()).map((request) => ({ ...request, ...ofExample(request) }))

function ofExample({ operation, headers = {}, body }: ExampleRequest): Pick<ExampleRequest, 'parameters' | 'body'> {
  const example = examples[String(operation)]!
  const parameters = Object.entries(example.parameters).filter(([name]) => !(name in headers))
  return { parameters: Object.fromEntries(parameters), body: example.body ?? body }
}

async function sendCall(url: string, { method, path, parameters = {}, headers, body, payload }: ExampleRequest) {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  const query = Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`))
  const search = new URLSearchParams(
    query.flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, String(each)])),
  )
  const started = performance.now()
  const reply = await fetch(`${url}${address}?${search}`, {
    method,
    headers: {
      'x-control-key': CONTROL_KEY,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: payload ?? (body === undefined ? null : JSON.stringify(body)) }),
  })
  return { status: reply.status, text: await reply.text(), took: performance.now() - started }
}

/** Each by its name, with what it answers while the database is away. */
const others = {
  wallet: {
    call: {
      method: 'GET',
      path: '/wallet/cmn/v2.0/device/available',
      parameters: { modelName: 'VM-S100', serviceType: 'WALLET' },
      headers: { partnerCode: 'partner-1001' },
    },
    answers: [500, '"resultCode":"CMN4N8003"'],
  },
  subscription: {
    call: { method: 'GET', path: '/subscriptions/some', headers: { authorization: 'Bearer token-home' } },
    answers: [500, 'ServiceUnavailableError'],
  },
  control: { call: { method: 'GET', path: '/_control/records/settings' }, answers: [503, 'ServiceUnavailableError'] },
  health: { call: { method: 'GET', path: '/health/ready' }, answers: [503, 'unavailable'] },
} as const

async function callBilling(url: string) {
  const reply = await fetch(`${url}/iap/ws/RTCService?wsdl`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: call('createServiceToken', { secret: SECRET }),
  })
  return { status: reply.status, text: await reply.text() }
}

const statusOf = ({ operation }: ExampleRequest): number => {
  // The zip codes are the program's own.
  if (operation === 30) return 200
  return operation === 4 || operation === 22 ? 503 : 500
}

test.each(['killed', 'silent'] as const)(
  '4.4 PostgreSQL %s: every operation answers the failure of its document within 2 seconds',
  async (how) => {
    const { url } = await installation.startInstance()
    await send('PUT', `${url}/_control/clock`, { now: NOON, frozen: true })
    const { postgres } = installation
    if (how === 'killed') await postgres.kill()
    else postgres.freeze()
    onTestFinished(() => (how === 'killed' ? postgres.start() : postgres.thaw()))

    const answered: [ExampleRequest['operation'], number][] = []
    for (const each of calls) {
      const { status, took } = await sendCall(url, each)
      answered.push([each.operation, status])
      expect(took).toBeLessThan(REFUSED_WITHIN)
    }
    expect(answered).toEqual(calls.map((each) => [each.operation, statusOf(each)]))
    const numbers = answered.map(([operation]) => operation).filter((each) => typeof each === 'number')
    expect(numbers.toSorted((a, b) => a - b)).toEqual(operationTable.map(({ operation }) => operation))

    for (const [name, { call: request, answers }] of Object.entries(others)) {
      const { status, text, took } = await sendCall(url, { operation: name, ...request })
      expect([name, status, text]).toEqual([name, answers[0], expect.stringContaining(answers[1])])
      expect(took).toBeLessThan(REFUSED_WITHIN)
    }
    const { status, text } = await callBilling(url)
    expect([status, text]).toEqual([500, expect.stringMatching(/-1</)])
  },
)
