import { type ExampleRequest, writeRequest } from '../../../contract/example.ts'
import type { CoverageCall, CoverageMiss } from '../../../contract/records/control/coverage.ts'
import type { StreamEnding } from '../../../contract/records/events/stream.ts'

export interface CallDraft extends ExampleRequest, Pick<CoverageMiss, 'before'> {
  route: string
}

/** Fields replace parts of the other request: `undefined` leaves a part out, and a text is the whole body. */
export interface ExampleChange extends ExampleRequest, Pick<CoverageMiss, 'before'> {
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

export const control = (method: string, path: string, body?: unknown): CoverageCall =>
  writeRequest(`${method} /_control/${path}`, { body })

export function faultFor(operation: number | string, respond: object): CoverageCall {
  return control('POST', 'faults', { match: { operation }, respond, times: 1 })
}

export const SUBSCRIPTION = 'eeeeeeee-0000-4000-8000-000000000001'
export const ANOTHER = 'eeeeeeee-0000-4000-8000-000000000002'
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

export const endingExamples = {
  left: { before: openedSubscription.slice(0, 1), example: openStream, needs: 'close the connection' },
  ended: { before: openedSubscription, example: openStream },
  goodbye: { before: openedSubscription, example: unsubscribe },
  reset: { before: openedSubscription, example: disturb('drop') },
  truncated: { before: [...openedSubscription, disturb('truncate')], example: SWITCH_ON },
} as const satisfies Record<StreamEnding, How>
