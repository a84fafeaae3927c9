import { billingOperations, type BillingOperation } from '../../../src/contract/documents/billing/operations.ts'
import { subscriptionOperations } from '../../../src/contract/documents/events/subscriptions.ts'
import { scopeOf } from '../../../src/contract/documents/support/operations.ts'
import { symptomImageOperations } from '../../../src/contract/documents/support/symptom-images.ts'
import { findExample, type RequestDraft, writeRequest } from '../../../src/contract/example.ts'
import type { OperationContract } from '../../../src/contract/operation.ts'
import type { StreamEnding } from '../../../src/contract/records/events/stream.ts'
import { metaOf, shapeOf } from '../../../src/server/http/input/findings.ts'
import { envelope } from './flow.ts'

export type Call = ReturnType<typeof writeRequest>

/** Requests in `before` are sent before the tested request. Streams that they open stay open. */
export interface Proof {
  before?: readonly Call[]
  example: Call
}

interface Change extends RequestDraft {
  before?: readonly Call[]
}

type Contract = OperationContract & { operation?: number | string; scope: string }

const control = (method: string, path: string, body?: unknown): Call =>
  writeRequest(`${method} /_control/${path}`, { body })

const faultFor = (operation: number | string, respond: object): Call =>
  control('POST', 'faults', { match: { operation }, respond, times: 1 })

export const SUBSCRIPTION = 'eeeeeeee-0000-4000-8000-000000000001'
const ANOTHER = 'eeeeeeee-0000-4000-8000-000000000002'
const DEVICE = 'aaaaaaaa-0000-4000-8000-000000000001'
const bearer = { authorization: 'Bearer token-home' }

export const subscribe = (subscriptionId: string) =>
  control('PUT', `records/subscriptions/${subscriptionId}`, {
    subscriptionId,
    user: 'alice-home',
    tokenDigest: 'e0787f41b3656703fef605ad95b581ce220c53b5ed8d7ab449a6b7a47885b366',
    name: 'home',
    version: 1,
    subscriptionFilters: [
      {
        type: 'LOCATIONIDS',
        value: ['ALL'],
        eventType: ['DEVICE_EVENT', 'DEVICE_LIFECYCLE_EVENT', 'DEVICE_HEALTH_EVENT'],
      },
    ],
    locations: ['11111111-0000-4000-8000-000000000001'],
    revision: 1,
    generation: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
    usedAt: '2999-01-01T00:00:00.000Z',
  })
const openStream = writeRequest(`GET /filters/${SUBSCRIPTION}/activate`, { headers: bearer })
const openedSubscription = [subscribe(SUBSCRIPTION), openStream]

const SWITCH_ON = control('POST', `devices/${DEVICE}/events`, {
  capability: 'switch',
  attribute: 'switch',
  value: 'on',
  force: true,
})
const injectFault = (action: string) => control('POST', `streams/${SUBSCRIPTION}/chaos`, { action })
const unsubscribe = writeRequest(`DELETE /subscriptions/${SUBSCRIPTION}`, { headers: bearer })

export const eventProofs: Readonly<Record<string, Proof>> = {
  DEVICE_EVENT: { before: openedSubscription, example: SWITCH_ON },
  DEVICE_LIFECYCLE_EVENT: {
    before: openedSubscription,
    example: control('POST', `devices/${DEVICE}/lifecycle`, { lifecycle: 'UPDATE' }),
  },
  DEVICE_HEALTH_EVENT: {
    before: openedSubscription,
    example: control('POST', `devices/${DEVICE}/health`, { status: 'OFFLINE' }),
  },
  'CONTROL_EVENT welcome': { before: [openedSubscription[0]!], example: openStream },
  'CONTROL_EVENT gap': {
    before: openedSubscription,
    example: { ...openStream, headers: { ...bearer, 'last-event-id': 'unknown' } },
  },
  'CONTROL_EVENT goodbye': { before: openedSubscription, example: unsubscribe },
}

/** A stream also ends when its client disconnects, so `left` needs only the first request. */
export const endingProofs: Readonly<Record<StreamEnding, Proof>> = {
  left: { before: openedSubscription.slice(0, 1), example: openStream },
  ended: { before: openedSubscription, example: openStream },
  goodbye: { before: openedSubscription, example: unsubscribe },
  reset: { before: openedSubscription, example: injectFault('drop') },
  truncated: { before: [...openedSubscription, injectFault('truncate')], example: SWITCH_ON },
}

const unknownId = { params: { id: '9999999999' } }
const unknownCustomer = { params: { customerId: '9999999999' } }
const unknownRequest = { query: { srid: '9999999999' } }
const unknownZip = { query: { zipCode: '00000' } }
const unknownCenter = { query: { ascCode: 'ASC999' } }
const unknownModel = { query: { modelCode: 'unknown' } }
const unknownProductType = { query: { subType: 'unknown' } }
const unknownUser = { headers: { 'vendorus-profId': 'nobody' } }
const noSubscription = { params: { subscriptionId: ANOTHER }, before: [] }
const guestToken = { headers: { authorization: 'Bearer token-guest' } }
const unknownParameter = { query: { constructor: 'anything' } }
const anotherSubscription = {
  before: [...openedSubscription, subscribe(ANOTHER)],
  params: { subscriptionId: ANOTHER },
}

/** For each status, the changes to an operation's example that cause the operation to return this status. */
const changes: Readonly<Record<string, Change>> = {
  'operation 2: 404': { query: { reasonId: 'unknown' } },
  'operation 5: 404': { params: { id: 'unknown' } },
  'operation 6: 404': { query: { bpNo: '9999999999' } },
  'operation 8: 404': { body: { bpNo: '9999999999' } },
  'operation 9: 404': { body: { srid: '9999999999' } },
  'operation 10: 204': { params: { srid: '9999999999' } },
  'operation 11: 404': unknownCustomer,
  'operation 12: 404': unknownCustomer,
  'operation 13: 404': unknownId,
  'operation 14: 404': unknownId,
  'operation 15: 404': { body: { receiptFileKey: 'unknown' } },
  'operation 16: 404': unknownCenter,
  'operation 18: 404': unknownProductType,
  'operation 20: 404': unknownId,
  'operation 21: 404': unknownModel,
  'operation 24: 404': { params: { deviceId: 'unknown' } },
  'operation 25: 404': unknownCenter,
  'operation 26: 404': unknownRequest,
  'operation 27: 404': unknownProductType,
  'operation 28: 404': unknownModel,
  'operation 29: 404': unknownModel,
  'operation 30: 404': unknownZip,
  'operation 31: 404': unknownRequest,
  'operation 32: 404': unknownUser,
  'operation 33: 404': unknownUser,
  'operation 34: 204': unknownRequest,
  'operation 35: 404': { query: { key: 'wrong' } },
  'operation 36: 404': unknownZip,
  'operation 37: 404': unknownCenter,
  'operation 39: 404': { query: { upperTaxonomyCode: 'unknown' } },
  'createSubscription: 403': guestToken,
  'createSubscription: 409': {
    before: [
      subscribe(SUBSCRIPTION),
      control('PUT', 'profile', { profile: 'limited', choices: { 'subscription-limit': 1 } }),
    ],
  },
  'getSubscription: 400': unknownParameter,
  'getSubscription: 404': noSubscription,
  'updateSubscription: 400': { body: '{}' },
  'updateSubscription: 403': guestToken,
  'updateSubscription: 404': noSubscription,
  'deleteSubscription: 400': unknownParameter,
  'deleteSubscription: 404': noSubscription,
  'stream: 204': { before: [...openedSubscription, openStream], headers: { 'last-event-id': '1-0' } },
  'stream: 400': { query: { key: ['one', 'another'] } },
  'stream: 403': { headers: { authorization: 'Bearer token-other' }, query: { key: '{{streamKey}}' } },
  'stream: 404': noSubscription,
  'stream: 409': anotherSubscription,
  'checkAvailability: 400': { query: { modelName: undefined } },
}

/** If no input can cause the status, a fault injects that status. */
export function proveStatus(contract: Contract, what: string): Proof {
  const status = Number(what.split(': ')[1])
  return draft(contract, status < 300 ? (changes[what] ?? {}) : (changes[what] ?? toRefusal(contract, status)))
}

function toRefusal({ operation, route, scope }: Contract, status: number): Change {
  const isSupport = scopeOf(operation) !== undefined
  if (isSupport && status === 400) return { headers: { 'request-source': undefined } }
  if (isSupport && status === 401 && scope !== 'anonymous') return { headers: { 'vendorus-profId': 'a'.repeat(513) } }
  if (status === 403 && scope === 'dealers') return { headers: { 'vendorus-profId': 'web-alice' } }
  if (!isSupport && status === 401) return { headers: { authorization: undefined } }
  if (!isSupport && status === 400 && route.startsWith('POST ')) return { body: '{}' }
  if (!isSupport && status === 413) return { body: `"${'x'.repeat(2 ** 20)}"` }
  if (!isSupport && status === 415) return { headers: { 'content-encoding': 'gzip' } }
  return { before: [faultFor(operation!, { status })] }
}

/**
 * Returns the example of an operation with some parts replaced. A string replaces the entire body, and `undefined`
 * removes a part.
 */
function draft(contract: Contract, { params, query, headers, body, before }: Change): Proof {
  const isOfSubscription = contract.route.includes(':subscriptionId')
  const example = findExample(isOfSubscription ? subscriptionOperations.createSubscription : contract)
  const given = contract.body && example?.body
  const isText = typeof body === 'string' || typeof given === 'string'
  const subscription = isOfSubscription
    ? { params: { subscriptionId: SUBSCRIPTION }, before: [subscribe(SUBSCRIPTION)] }
    : {}
  const first = before ?? subscription.before
  return {
    ...(first && { before: first }),
    example: writeRequest(contract.route, {
      params: { ...example?.params, ...subscription.params, ...params },
      query: { ...requiredSamples(contract.query), ...example?.query, ...query },
      headers: { ...requiredSamples(contract.headers), ...example?.headers, ...headers },
      body: body === undefined ? given : isText ? body : { ...Object(given), ...Object(body) },
    }),
  }
}

function requiredSamples(schema: OperationContract['query'] | OperationContract['headers']): Record<string, string> {
  const required = Object.entries(shapeOf(schema)).filter(([, field]) => !field.safeParse(undefined).success)
  return Object.fromEntries(required.map(([name, field]) => [name, String(metaOf(field)['example'] ?? 'WALLET')]))
}

/** SHA-256 digest of the token in the example. The server stores only the digests of tokens. */
const TOKEN_DIGEST = '69d62c062d67d8d2ce9068c1898fb9746c911839aa88ad1628d090f4c8e47f05'

const issueToken = (issuedAt: string) =>
  control('PUT', `records/serviceTokens/${TOKEN_DIGEST}`, {
    tokenDigest: TOKEN_DIGEST,
    sellerSecret: billingOperations.createServiceToken.example.secret,
    issuedAt,
  })

function proveSoap(operation: BillingOperation, inputs: Readonly<Record<string, string>>, ...before: Call[]): Proof {
  const children = Object.entries(inputs).map(([name, text]) => `<${name}>${text}</${name}>`)
  const headers = { 'content-type': 'text/xml; charset=utf-8' }
  return {
    before,
    example: writeRequest('POST /iap/ws/RTCService', { headers, body: envelope(operation, children.join('')) }),
  }
}

const secretOf = (secret: string) => proveSoap('createServiceToken', { secret })
const statusOf = (issuedAt: string) =>
  proveSoap('getSubscriptionStatus', billingOperations.getSubscriptionStatus.example, issueToken(issuedAt))
const nothing = proveSoap('createServiceToken', {})
const { secret } = billingOperations.createServiceToken.example

/** Requests by status, and by the error codes of document 3, section 7. */
export const soapProofs: Readonly<Record<string, Proof>> = {
  'createServiceToken: 200': secretOf(secret),
  'createServiceToken: 500': nothing,
  'getSubscriptionStatus: 200': statusOf('2999-01-01T00:00:00.000Z'),
  'getSubscriptionStatus: 500': proveSoap('getSubscriptionStatus', {}),
  'errorCode 10': nothing,
  'errorCode 15': secretOf('no digits'),
  'errorCode 300': secretOf('999999999999'),
  'errorCode 301': statusOf('2000-01-01T00:00:00.000Z'),
  'errorCode -1': proveSoap('createServiceToken', { secret }, faultFor('createServiceToken', { fault: -1 })),
}

const rules: Readonly<Record<string, Change & { operation: number | string }>> = {
  'document 1, operation 24': { operation: 24, params: { deviceId: 'unknown' } },
  'document 1, operation 30': { operation: 30, query: { zipCode: 'abc' } },
  'document 1, operation 38': { operation: 38, query: { bespoke: 'X' } },
  'document 1, operations 16 and 25': { operation: 25, ...unknownCenter },
  'document 1, section 2': { operation: 15, body: { serial: undefined } },
  'document 1, section 4, common request headers': { operation: 1, headers: { 'request-source': undefined } },
  'document 1, section 4, rule 2': { operation: 33, body: { mobilePhone: undefined } },
  'document 1, section 4, schedule query': { operation: 25, query: { inWarranty: 'X' } },
  'document 1, section 4, store list': { operation: 17, query: { pagination: 'maybe' } },
  'document 1, section 4, symptom tree, rule 1': { operation: 27, query: { subType: undefined } },
  'document 1, section 4, ticket list': { operation: 19, query: { offset: 'X' } },
  'document 1, section 7': { operation: 32, ...unknownUser },
  'document 1, section 8': {
    operation: 26,
    body: String(symptomImageOperations[26].example.body).replace('GIF89a', 'no GIF'),
  },
  'document 2, section 2': {
    operation: 'createSubscription',
    body: { subscriptionFilters: [{ type: 'ROOMIDS', value: ['ALL'] }] },
  },
  'document 2, section 5, rule 1': { operation: 'getSubscription', headers: { authorization: undefined } },
  'document 2, section 5, rule 2': { operation: 'createSubscription', ...guestToken },
  'document 2, section 7': { operation: 'checkAvailability', query: { modelName: undefined } },
  'document 2, section 8': { operation: 'stream', ...anotherSubscription },
}

/** For a rule that has no entry here, such as `document 1, operation 30`, the request omits a required parameter. */
export function proveRule(contracts: ReadonlyMap<string, Contract>, source: string): Proof {
  if (source === 'document 3, section 5, rule 3') return soapProofs['errorCode 301']!
  if (source === 'document 3, section 7') return nothing
  const { operation, ...change } = rules[source] ?? { operation: Number(source.split(' ').at(-1)) }
  const contract = contracts.get(nameOf(operation))!
  if (Object.keys(change).length > 0) return draft(contract, change)
  const [required = ''] = Object.keys(requiredSamples(contract.query))
  return draft(contract, { query: { [required]: undefined } })
}

export function nameOf(operation: number | string): string {
  return typeof operation === 'number' ? `operation ${operation}` : operation
}
