import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { streamOperations } from '../../../src/contract/documents/events/streams.ts'
import { subscriptionOperations } from '../../../src/contract/documents/events/subscriptions.ts'
import { supportOperations } from '../../../src/contract/documents/support/operations.ts'
import { walletOperations } from '../../../src/contract/documents/wallet/availability.ts'
import type { OperationContract } from '../../../src/contract/operation.ts'
import type { Coverage, CoverageCall } from '../../../src/contract/records/control/coverage.ts'
import { walletError } from '../../../src/contract/records/wallet/device-model.ts'
import { errorBody } from '../../../src/server/http/json-errors.ts'
import { call, useServer } from './server.ts'

const server = useServer()
const { stream } = streamOperations
const contracts = new Map<string, OperationContract>(
  Object.values({ ...supportOperations, ...subscriptionOperations, ...walletOperations, stream }).map((each) => [
    typeof each.operation === 'number' ? `operation ${each.operation}` : each.operation,
    each,
  ]),
)

/** Of each operation, the statuses that were answered; a star is one that a fault was asked for. */
const covered = new Map<string, string[]>()
const note = (operation: string, status: string) => covered.set(operation, [...(covered.get(operation) ?? []), status])
afterAll(() => {
  if (process.env['ACCEPTANCE_TABLE'] === undefined) return
  const rows = [...covered].map(([operation, statuses]) => `| ${operation} | ${statuses.join(', ')} |`)
  process.stdout.write(`\n${['| Asked | Answered; * by a fault |', '|---|---|', ...rows].join('\n')}\n`)
})

/** Calls are written for this world; its forks have the keys of its streams. */
const base = `refusals-${process.pid}`
let coverage: Coverage
beforeAll(async () => {
  await call(`${server.url}/_control/worlds`, 'POST', { name: base })
  coverage = (await call(`${server.url}/w/${base}/_control/coverage`, 'GET')).json as unknown as Coverage
})
afterAll(async () => void (await call(`${server.url}/_control/worlds/${base}`, 'DELETE')))

let forks = 0
async function withFork<T>(run: (url: string, leaving: AbortController) => Promise<T>): Promise<T> {
  const name = `${base}-${++forks}`
  const leaving = new AbortController()
  expect((await call(`${server.url}/_control/worlds`, 'POST', { name, from: base })).status).toBe(200)
  try {
    return await run(`${server.url}/w/${name}`, leaving)
  } finally {
    leaving.abort()
    await call(`${server.url}/_control/worlds/${name}`, 'DELETE')
  }
}

/** Streams stay open until they are left; of these the first piece is read. */
async function send(url: string, { method, path, headers, body }: CoverageCall, { signal }: AbortController) {
  const key = process.env['CONTROL_KEY']
  const reply = await fetch(url + path, {
    method,
    headers: { ...(key !== undefined && { 'x-control-key': key }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal,
  })
  const type = reply.headers.get('content-type') ?? ''
  const isStream = type.startsWith('text/event-stream')
  const piece = isStream ? await reply.body?.getReader().read() : undefined
  return { status: reply.status, type, text: isStream ? new TextDecoder().decode(piece?.value) : await reply.text() }
}

const missingOf = (part: string) => coverage.parts.find(({ name }) => name === part)!.missing

/** A reply as its contract or its document's form of errors has it. */
function checkReply(operation: string, { status, type, text }: { status: number; type: string; text: string }) {
  const contract = contracts.get(operation)
  if (contract === undefined || status === 204 || !type.includes('json')) return
  const refusal = operation === 'checkAvailability' ? walletError : errorBody
  const { error } = (status < 300 ? contract.reply : refusal).safeParse(JSON.parse(text))
  expect(error && z.prettifyError(error)).toBeUndefined()
}

test('each operation answers each status it declares, in the form of its contract', async () => {
  // The link that operation 35 needs is in a mail: operations.test.ts reads it.
  const misses = missingOf('statuses').filter(({ what }) => what !== 'operation 35: 200')
  expect(new Set(misses.map(({ what }) => what.split(': ')[0]))).toEqual(
    new Set([...contracts.keys(), 'createServiceToken', 'getSubscriptionStatus']),
  )
  for (const { what, before = [], example } of misses) {
    const [operation = '', status = ''] = what.split(': ')
    const reply = await withFork(async (url, leaving) => {
      for (const each of before) await send(url, each, leaving)
      return send(url, example, leaving)
    })
    expect([what, reply.status, reply.text]).toEqual([what, Number(status), reply.text])
    checkReply(operation, reply)
    note(operation, before.some(({ path }) => path === '/_control/faults') ? `${status}*` : status)
  }
})

test('SOAP tells each error code of its document in a fault', async () => {
  for (const { what, before = [], example } of missingOf('soapCodes')) {
    const { status, text } = await withFork(async (url, leaving) => {
      for (const each of before) await send(url, each, leaving)
      return send(url, example, leaving)
    })
    const code = what.replace('errorCode ', '')
    expect([status, text]).toEqual([500, expect.stringMatching(new RegExp(`Fault>[^]*<errorCode>${code}</errorCode>`))])
    note('SOAP', `errorCode ${code}`)
  }
})

test('a stream tells each kind of event, and ends in each way that there is', async () => {
  for (const { what, before = [], example } of [...missingOf('events'), ...missingOf('endings')]) {
    await withFork(async (url, leaving) => {
      for (const each of [...before, example]) await send(url, each, leaving)
      if (what.endsWith(': left')) leaving.abort()
      const isMet = async () => {
        const { parts } = (await call(`${url}/_control/coverage`, 'GET')).json as unknown as Coverage
        return parts.some(({ seen }) => seen.includes(what))
      }
      await expect.poll(isMet, { timeout: 10_000 }).toBe(true)
    })
    note('stream', what)
  }
})
