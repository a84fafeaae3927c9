import type { BillingOperation } from '../../../contract/documents/billing/operations.ts'
import type { CoverageCall, CoverageMiss } from '../../../contract/records/control/coverage.ts'
import type { StreamEnding } from '../../../contract/records/events/stream.ts'

/** A request by the names of what it holds. */
export interface CallDraft extends Pick<CoverageMiss, 'before' | 'needs'> {
  method: string
  url: string
  path?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
}

/** What another request has in the place of it; `undefined` leaves it out. */
export interface ExampleChange extends Pick<CoverageMiss, 'before' | 'needs'> {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string | undefined>>
  /** A text in the place of the whole body; fields beside those that are there. */
  body?: unknown
  /** One value in the body. */
  place?: { steps: readonly string[]; value: unknown }
}

export function change(draft: CallDraft, { path, query, headers, body, place }: ExampleChange): CallDraft {
  const isText = typeof body === 'string' || typeof draft.body === 'string'
  const changed = body === undefined ? draft.body : isText ? body : { ...Object(draft.body), ...Object(body) }
  return {
    ...draft,
    path: { ...draft.path, ...path },
    query: { ...draft.query, ...query },
    headers: { ...draft.headers, ...headers } as Record<string, string>,
    body: place ? putInto(changed, place.steps, place.value) : changed,
  }
}

function putInto(body: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === '[]') return [putInto(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const fields = Object(body) as Readonly<Record<string, unknown>>
  return { ...fields, [step]: putInto(fields[step], rest, value) }
}

export function writeCall({ method, url, path = {}, query = {}, headers = {}, body }: CallDraft): CoverageCall {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  )
  // Values that are known when somebody asks stand as they are until then.
  const asked = search.toString().replace(/%7B%7B(\w+)%7D%7D/g, '{{$1}}')
  const filled = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? 'unknown'))
  const type = body !== undefined && typeof body !== 'string' ? { 'content-type': 'application/json' } : {}
  const sent = Object.entries({ ...type, ...headers }).filter(([, value]) => value !== undefined)
  return {
    method,
    path: asked === '' ? filled : `${filled}?${asked}`,
    headers: Object.fromEntries(sent),
    ...(body !== undefined && { body }),
  }
}

const control = (method: string, path: string, body?: unknown): CoverageCall =>
  writeCall({ method, url: `/_control/${path}`, body })

export function faultFor(operation: number | string, respond: object): CoverageCall {
  return control('POST', 'faults', { match: { operation }, respond, times: 1 })
}

/** A form with the first structures of an image, all of it text. */
export const GIF_FORM =
  '--example\r\ncontent-disposition: form-data; name="imageFile"; filename="dot.gif"\r\n' +
  'content-type: image/gif\r\n\r\n' +
  'GIF89aAAAA   ,AAAAAAAA \t;\r\n--example--\r\n'

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
const openStream = writeCall({ method: 'GET', url: `/filters/${SUBSCRIPTION}/activate`, headers: bearer })
export const openedSubscription = [subscribe(SUBSCRIPTION), openStream]

const SWITCH_ON = control('POST', `devices/${DEVICE}/events`, {
  capability: 'switch',
  attribute: 'switch',
  value: 'on',
  force: true,
})
const disturb = (action: string) => control('POST', `streams/${SUBSCRIPTION}/chaos`, { action })
const unsubscribe = writeCall({ method: 'DELETE', url: `/subscriptions/${SUBSCRIPTION}`, headers: bearer })

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

const TOKEN = 'A'.repeat(96)
/** Its SHA-256, by which it is kept. */
const TOKEN_DIGEST = '69d62c062d67d8d2ce9068c1898fb9746c911839aa88ad1628d090f4c8e47f05'
const SECRET = '123456789012'
const issueToken = (issuedAt: string) =>
  control('PUT', `records/serviceTokens/${TOKEN_DIGEST}`, {
    tokenDigest: TOKEN_DIGEST,
    sellerSecret: SECRET,
    issuedAt,
  })

export interface SoapExample extends Pick<CoverageMiss, 'before'> {
  operation: BillingOperation
  inputs: Readonly<Record<string, string>>
}
const secretOf = (secret: string): SoapExample => ({ operation: 'createServiceToken', inputs: { secret } })
const asking = (issuedAt: string): SoapExample => ({
  operation: 'getSubscriptionStatus',
  inputs: { purchaseID: 'purchase-active', serviceToken: TOKEN },
  before: [issueToken(issuedAt)],
})
const expired = asking('2000-01-01T00:00:00.000Z')
const nothing: SoapExample = { operation: 'createServiceToken', inputs: {} }

/** Calls that succeed. */
export const soapCalls: readonly SoapExample[] = [secretOf(SECRET), asking('2999-01-01T00:00:00.000Z')]

/** Document 3, section 7. */
export const soapCodes: Readonly<Record<string, SoapExample>> = {
  10: nothing,
  15: secretOf('no digits'),
  300: secretOf('999999999999'),
  301: expired,
  '-1': { ...secretOf(SECRET), before: [faultFor('createServiceToken', { fault: -1 })] },
}

const noOne = { 'vendorus-profId': 'nobody' }
const noSubscription = { path: { subscriptionId: ANOTHER }, before: [] }
const noModel = { query: { modelCode: 'unknown' } }
/** Of the owner, without scopes. */
const guestToken = { authorization: 'Bearer token-guest' }
const poisoned = { query: { constructor: 'anything' } }

/** What meets a status other than success, by the operation's name and the status; what is not here a fault meets. */
export const statusExamples: Readonly<Record<string, ExampleChange>> = {
  'operation 2: 404': { query: { reasonId: 'unknown' } },
  'operation 5: 404': { path: { id: 'unknown' } },
  'operation 6: 404': { query: { bpNo: '9999999999' } },
  'operation 8: 404': { body: { bpNo: '9999999999' } },
  'operation 9: 404': { body: { srid: '9999999999' } },
  'operation 11: 404': { path: { customerId: '9999999999' } },
  'operation 12: 404': { path: { customerId: '9999999999' } },
  'operation 13: 404': { path: { id: '9999999999' } },
  'operation 14: 404': { path: { id: '9999999999' } },
  'operation 15: 404': { body: { receiptFileKey: 'unknown' } },
  'operation 16: 404': { query: { ascCode: 'ASC999' } },
  'operation 18: 404': { query: { subType: 'unknown' } },
  'operation 20: 404': { path: { id: '9999999999' } },
  'operation 21: 404': noModel,
  'operation 24: 404': { path: { deviceId: 'unknown' } },
  'operation 25: 404': { query: { ascCode: 'ASC999' } },
  'operation 26: 404': { query: { srid: '9999999999' } },
  'operation 27: 404': { query: { subType: 'unknown' } },
  'operation 28: 404': noModel,
  'operation 29: 404': noModel,
  'operation 30: 404': { query: { zipCode: '00000' } },
  'operation 31: 404': { query: { srid: '9999999999' } },
  'operation 32: 404': { headers: noOne },
  'operation 33: 404': { headers: noOne },
  'operation 35: 404': { query: { key: 'wrong' } },
  'operation 36: 404': { query: { zipCode: '00000' } },
  'operation 37: 404': { query: { ascCode: 'ASC999' } },
  'operation 39: 404': { query: { upperTaxonomyCode: 'unknown' } },
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
  'stream: 409': { before: [...openedSubscription, subscribe(ANOTHER)], path: { subscriptionId: ANOTHER } },
  'updateSubscription: 403': { headers: guestToken },
  'checkAvailability: 400': { query: { modelName: undefined } },
}

type RuleExample = SoapExample | (ExampleChange & { operation: number | string })

/** Each place of the documents that a refusal can name, and how the example of an operation is refused by it. */
export const ruleExamples: Readonly<Record<string, RuleExample>> = {
  'document 1, operation 24': { operation: 24, path: { deviceId: 'unknown' } },
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
  'document 1, section 8': { operation: 26, body: GIF_FORM.replace('GIF89a', 'no GIF') },
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
    path: { subscriptionId: ANOTHER },
  },
  'document 3, section 5, rule 3': expired,
  'document 3, section 7': nothing,
}
