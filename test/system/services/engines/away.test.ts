import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { subscriptionOperations } from '../../../../src/contract/documents/events/subscriptions.ts'
import { supportOperations } from '../../../../src/contract/documents/support/operations.ts'
import { walletOperations } from '../../../../src/contract/documents/wallet/availability.ts'
import { findExample, type RequestDraft, writeRequest } from '../../../../src/contract/example.ts'
import { operationTable } from '../../../helpers/operation-table.ts'
import { call, SECRET } from '../../../helpers/documents/soap.ts'
import { NOON } from '../bookings.ts'
import { CONTROL_KEY, type Installation, install, send } from '../installation.ts'
import { REJECTED_WITHIN } from '../servers.ts'

let installation: Installation
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

/** Values that the server inserts into an example when it serves it. They are for the day after NOON. */
const VALUES: Readonly<Record<string, string>> = {
  inStoreDate: '2026-05-07',
  inStoreTime: '09:00',
  appointmentDate: '2026-05-07',
  timeSlot: 'ASC001-2026-05-07-AM',
}

interface Call {
  operation: number | string
  route: string
  parts: RequestDraft
}

/** For each operation, a request that succeeds if the database is available. */
const calls: Call[] = Object.values({
  ...supportOperations,
  createSubscription: subscriptionOperations.createSubscription,
}).map((contract) => {
  const text = JSON.stringify(findExample(contract)).replaceAll(/\{\{(\w+)\}\}/g, (_, name) => VALUES[name] ?? name)
  return { operation: contract.operation, route: contract.route, parts: JSON.parse(text) as RequestDraft }
})

async function sendCall(url: string, { route, parts }: Pick<Call, 'route' | 'parts'>) {
  const { method, path, headers, body } = writeRequest(route, parts)
  const started = performance.now()
  const reply = await fetch(url + path, {
    method,
    headers: { 'x-control-key': CONTROL_KEY, ...headers },
    ...(method !== 'GET' && {
      body: typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body),
    }),
  })
  return { status: reply.status, text: await reply.text(), took: performance.now() - started }
}

/** Other requests by name, and their responses while the database is unavailable. */
const others: Readonly<Record<string, [call: Pick<Call, 'route' | 'parts'>, status: number, text: string]>> = {
  wallet: [
    {
      route: walletOperations.checkAvailability.route,
      parts: { query: { modelName: 'VM-S100', serviceType: 'WALLET' }, headers: { partnerCode: 'partner-1001' } },
    },
    500,
    '"resultCode":"CMN4N8003"',
  ],
  subscription: [
    { route: 'GET /subscriptions/some', parts: { headers: { authorization: 'Bearer token-home' } } },
    500,
    'ServiceUnavailableError',
  ],
  control: [{ route: 'GET /_control/records/settings', parts: {} }, 503, 'ServiceUnavailableError'],
  health: [{ route: 'GET /health/ready', parts: {} }, 503, 'unavailable'],
}

async function callBilling(url: string) {
  const reply = await fetch(`${url}/iap/ws/RTCService?wsdl`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: call('createServiceToken', { secret: SECRET }),
  })
  return { status: reply.status, text: await reply.text() }
}

const statusOf = ({ operation }: Call): number => {
  // Zip codes are not stored in the database.
  if (operation === 30) return 200
  return operation === 4 || operation === 22 ? 503 : 500
}

test.each(['killed', 'silent'] as const)(
  'when PostgreSQL is %s, every operation returns its documented error within 2 seconds',
  async (how) => {
    const { url } = await installation.startInstance()
    await send('PUT', `${url}/_control/clock`, { now: NOON, frozen: true })
    const { postgres } = installation
    if (how === 'killed') await postgres.kill()
    else postgres.freeze()
    onTestFinished(() => (how === 'killed' ? postgres.start() : postgres.thaw()))

    const answered: [Call['operation'], number][] = []
    for (const each of calls) {
      const { status, took } = await sendCall(url, each)
      answered.push([each.operation, status])
      expect(took).toBeLessThan(REJECTED_WITHIN)
    }
    expect(answered).toEqual(calls.map((each) => [each.operation, statusOf(each)]))
    const numbers = answered.map(([operation]) => operation).filter((each) => typeof each === 'number')
    expect(numbers.toSorted((a, b) => a - b)).toEqual(operationTable.map(({ operation }) => operation))

    for (const [name, [request, refusal, words]] of Object.entries(others)) {
      const { status, text, took } = await sendCall(url, request)
      expect([name, status, text]).toEqual([name, refusal, expect.stringContaining(words)])
      expect(took).toBeLessThan(REJECTED_WITHIN)
    }
    const { status, text } = await callBilling(url)
    expect([status, text]).toEqual([500, expect.stringMatching(/-1</)])
  },
)
