import { type BillingOperation, billingOperations } from '../../../contract/documents/billing/operations.ts'
import { symptomImageOperations } from '../../../contract/documents/support/symptom-images.ts'
import { type ExampleRequest, writeRequest } from '../../../contract/example.ts'
import type { CoverageCall, CoverageMiss } from '../../../contract/records/control/coverage.ts'
import type { StreamEnding } from '../../../contract/records/events/stream.ts'

export interface CallDraft extends ExampleRequest, Pick<CoverageMiss, 'before'> {
  route: string
}

/** In the place of the parts of another request: `undefined` leaves one out, a text is the whole body. */
export interface ExampleChange extends ExampleRequest, Pick<CoverageMiss, 'before'> {
  /** One value in the body. */
  place?: { steps: readonly string[]; value: unknown }
}

export function change(draft: CallDraft, { params, query, headers, body, place }: ExampleChange): CallDraft {
  const isText = typeof body === 'string' || typeof draft.body === 'string'
  const changed = body === undefined ? draft.body : isText ? body : { ...Object(draft.body), ...Object(body) }
  return {
    ...draft,
    params: { ...draft.params, ...params },
    query: { ...draft.query, ...query },
    headers: { ...draft.headers, ...headers },
    body: place ? putInto(changed, place.steps, place.value) : changed,
  }
}

function putInto(body: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === '[]') return [putInto(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const fields = Object(body) as Readonly<Record<string, unknown>>
  return { ...fields, [step]: putInto(fields[step], rest, value) }
}

const control = (method: string, path: string, body?: unknown): CoverageCall =>
  writeRequest(`${method} /_control/${path}`, { body })

export function faultFor(operation: number | string, respond: object): CoverageCall {
  return control('POST', 'faults', { match: { operation }, respond, times: 1 })
}

export const SUBSCRIPTION = 'eeeeeeee-0000-4000-8000-000000000001'
const ANOTHER = 'eeeeeeee-0000-4000-8000-000000000002'
const DEVICE = 'aaaaaaaa-0000-4000-8000-000000000001'
const bearer = { authorization: 'Bearer token-home' }

/** A subscription of token-home to everything, and its stream. */
const subscribe = (subscriptionId: string) =>
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
export const openedSubscription = [subscribe(SUBSCRIPTION), openStream]

const SWITCH_ON = control('POST', `devices/${DEVICE}/events`, {
  capability: 'switch',
  attribute: 'switch',
  value: 'on',
  force: true,
})
const disturb = (action: string) => control('POST', `streams/${SUBSCRIPTION}/chaos`, { action })
const unsubscribe = writeRequest(`DELETE /subscriptions/${SUBSCRIPTION}`, { headers: bearer })

type How = Omit<CoverageMiss, 'what'>

export const eventExamples: Readonly<Record<string, How>> = {
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

/** By `StreamEnding`. */
export const endingExamples = {
  left: { before: openedSubscription.slice(0, 1), example: openStream, needs: 'close the connection' },
  ended: { before: openedSubscription, example: openStream },
  goodbye: { before: openedSubscription, example: unsubscribe },
  reset: { before: openedSubscription, example: disturb('drop') },
  truncated: { before: [...openedSubscription, disturb('truncate')], example: SWITCH_ON },
} as const satisfies Record<StreamEnding, How>

/** SHA-256 of the example's service token, by which it is kept. */
const TOKEN_DIGEST = '69d62c062d67d8d2ce9068c1898fb9746c911839aa88ad1628d090f4c8e47f05'
const issueToken = (issuedAt: string) =>
  control('PUT', `records/serviceTokens/${TOKEN_DIGEST}`, {
    tokenDigest: TOKEN_DIGEST,
    sellerSecret: billingOperations.createServiceToken.example.secret,
    issuedAt,
  })

export interface SoapExample extends Pick<CoverageMiss, 'before'> {
  operation: BillingOperation
  inputs: Readonly<Record<string, string>>
}
const secretOf = (secret: string): SoapExample => ({ operation: 'createServiceToken', inputs: { secret } })
const asking = (issuedAt: string): SoapExample => ({
  operation: 'getSubscriptionStatus',
  inputs: billingOperations.getSubscriptionStatus.example,
  before: [issueToken(issuedAt)],
})
const expired = asking('2000-01-01T00:00:00.000Z')
const nothing: SoapExample = { operation: 'createServiceToken', inputs: {} }

const success: SoapExample = { operation: 'createServiceToken', inputs: billingOperations.createServiceToken.example }

/** Calls that succeed. */
export const soapCalls: readonly SoapExample[] = [success, asking('2999-01-01T00:00:00.000Z')]

/** Document 3, section 7. */
export const soapCodes: Readonly<Record<string, SoapExample>> = {
  10: nothing,
  15: secretOf('no digits'),
  300: secretOf('999999999999'),
  301: expired,
  '-1': { ...success, before: [faultFor('createServiceToken', { fault: -1 })] },
}

const noSubscription = { params: { subscriptionId: ANOTHER }, before: [] }
/** Of the owner, without scopes. */
const guestToken = { authorization: 'Bearer token-guest' }
const poisoned = { query: { constructor: 'anything' } }

/** Of operations whose refusals want something before: by name and status. */
export const statusExamples: Readonly<Record<string, ExampleChange>> = {
  'createSubscription: 403': { headers: guestToken },
  'getSubscription: 404': noSubscription,
  'updateSubscription: 404': noSubscription,
  'deleteSubscription: 404': noSubscription,
  'stream: 404': noSubscription,
  'getSubscription: 400': poisoned,
  'updateSubscription: 400': { body: '{}' },
  'deleteSubscription: 400': poisoned,
  'stream: 400': { query: { key: ['one', 'another'] } },
  'stream: 403': { headers: { authorization: 'Bearer token-other' }, query: { key: '{{streamKey}}' } },
  'stream: 409': { before: [...openedSubscription, subscribe(ANOTHER)], params: { subscriptionId: ANOTHER } },
  'updateSubscription: 403': { headers: guestToken },
}

type RuleExample = SoapExample | (ExampleChange & { operation: number | string })

/** Each place of the documents that a refusal can name, and how the example of an operation is refused by it. */
export const ruleExamples: Readonly<Record<string, RuleExample>> = {
  'document 1, operation 24': { operation: 24, params: { deviceId: 'unknown' } },
  'document 1, operation 30': { operation: 30, query: { zipCode: 'abc' } },
  'document 1, operation 38': { operation: 38, query: { bespoke: 'X' } },
  'document 1, operations 16 and 25': { operation: 25, query: { ascCode: 'ASC999' } },
  'document 1, section 2': { operation: 15, body: { serial: undefined } },
  'document 1, section 4, common request headers': { operation: 1, headers: { 'request-source': undefined } },
  'document 1, section 4, rule 2': { operation: 33, body: { mobilePhone: undefined } },
  'document 1, section 4, schedule query': { operation: 25, query: { type: 'X' } },
  'document 1, section 4, store list': { operation: 17, query: { pagination: 'maybe' } },
  'document 1, section 4, symptom tree, rule 1': { operation: 27, query: { subType: undefined } },
  'document 1, section 4, ticket list': { operation: 19, query: { statusList: ['E0009'] } },
  'document 1, section 7': { operation: 32, headers: { 'vendorus-profId': 'nobody' } },
  'document 1, section 8': { operation: 26, body: String(symptomImageOperations[26].example.body).replace('GIF89a', 'no GIF') },
  'document 2, section 2': {
    operation: 'createSubscription',
    body: { subscriptionFilters: [{ type: 'ROOMIDS', value: ['ALL'] }] },
  },
  'document 2, section 5, rule 1': { operation: 'getSubscription', headers: { authorization: undefined } },
  'document 2, section 5, rule 2': {
    operation: 'createSubscription',
    headers: { authorization: 'Bearer token-guest' },
  },
  'document 2, section 7': { operation: 'checkAvailability', query: { modelName: undefined } },
  'document 2, section 8': {
    operation: 'stream',
    before: [...openedSubscription, subscribe(ANOTHER)],
    params: { subscriptionId: ANOTHER },
  },
  'document 3, section 5, rule 3': expired,
  'document 3, section 7': nothing,
}
