import { distance } from 'fastest-levenshtein'
import type { Call } from '../../calls/call.ts'
import { exampleOf } from '../../calls/call.ts'
import { requireOperation } from '../../calls/operations.ts'
import { listRecords, nearestFirst, valuesOf } from '../known/records.ts'
import { withValue } from '../call-places.ts'
import type { Change, Ground, Mender, Refused } from '../mender.ts'

/** Document 2, section 5 refuses a token that is missing, unknown or expired, or lacks a scope. */
export const mendToken: Mender = ({ people }, { call, refusal: { status, findings } }) => {
  const { of = '' } = call.operation ?? {}
  const lacksScope = findings.some(({ code }) => code === 'MissingScope')
  if (of !== 'events' || !(status === 401 || (status === 403 && lacksScope))) return []
  return people.tokens
    .map((token) => ({ call: { ...call, headers: { ...call.headers, authorization: `Bearer ${token}` } }, token }))
    .map((each) => ({
      call: each.call,
      told: `the bearer is ${each.token}${lacksScope ? ', which has the scope' : ''}`,
    }))
}

export const mendFilterIds: Mender = async (ground, { call, refusal }) => {
  if (
    call.operation?.of !== 'events' ||
    refusal.status !== 403 ||
    refusal.findings.length === 0 ||
    refusal.findings.length > 30
  )
    return []
  const filters = (call.body as { subscriptionFilters?: { type: string; value: string[] }[] }).subscriptionFilters ?? []
  const places = refusal.findings.flatMap(({ target }) => {
    const [, filter = '', at = ''] = /\[(\d+)\]\.value\[(\d+)\]/.exec(target) ?? []
    const { type = '', value = [] } = filters[Number(filter)] ?? {}
    return type === '' ? [] : [{ target, type, given: value[Number(at)] }]
  })
  const lists = await Promise.all(places.map(({ type, given }) => listIds(ground, type, given)))
  const most = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: Math.min(most, 6) }, (_, at): Change => {
    const chosen = places.map(({ target }, index) => ({
      target,
      id: lists[index]![Math.min(at, lists[index]!.length - 1)],
    }))
    return {
      call: chosen.reduce((each, { target, id }) => withValue(each, target, id), call),
      told: chosen.map(({ target, id }) => `${target} is ${id}`).join(', '),
    }
  })
}

const collections = {
  LOCATIONIDS: ['locations', 'locationId'],
  DEVICEIDS: ['devices', 'deviceId'],
  INSTALLEDSMARTAPPIDS: ['installedApps', 'installedAppId'],
  SMARTAPPIDS: ['smartApps', 'appId'],
} as const

async function listIds({ fork }: Ground, type: string, given: string | undefined): Promise<string[]> {
  if (!(type in collections)) return []
  const [collection, field] = collections[type as keyof typeof collections]
  return nearestFirst(given, valuesOf(await listRecords(fork, collection), field))
}

/** An id that differs by more letters is no typo but another id. */
const TYPO = 4

/** The mistyped subscription comes first, then a new one, then another of the caller's. */
export const mendSubscription: Mender = async ({ fork }, { call, refusal: { status } }: Refused) => {
  const { of, path = '' } = call.operation ?? {}
  if (of !== 'events' || status !== 404 || !path.includes(':subscriptionId')) return []
  const known = valuesOf(await listRecords(fork, 'subscriptions'), 'subscriptionId')
  const own = nearestFirst(call.params.subscriptionId, known)
    .slice(0, 4)
    .map((id): Change => ({ call: withId(call, id), told: `the subscription is ${id}, which there is` }))
  const [nearest] = nearestFirst(call.params.subscriptionId, known)
  const isTypo = nearest !== undefined && distance(nearest, call.params.subscriptionId ?? '') <= TYPO
  return isTypo ? [...own, withNew(call)] : [withNew(call), ...own]
}

function withNew(call: Call): Change {
  const operation = requireOperation('createSubscription')
  const { method, path } = operation
  const { body } = exampleOf(operation)
  const headers = { 'content-type': 'application/json', ...bearerOf(call) }
  return {
    call,
    told: 'the subscription is the one that createSubscription has just made',
    first: {
      told: 'createSubscription makes one, whose id is put into the call',
      call: { operation, method, path, params: {}, query: {}, headers, body },
      read: {
        name: 'subscriptionId of createSubscription',
        from: (reply) => (reply as { subscriptionId?: string }).subscriptionId,
        into: withId,
      },
    },
  }
}

/** A key opens its own subscription alone, so it is left out; the bearer suffices. */
function withId(call: Call, id: string): Call {
  const { key: _, ...query } = call.query
  return {
    ...call,
    query,
    params: { ...call.params, subscriptionId: id },
    headers: { ...call.headers, ...bearerOf(call) },
  }
}

function bearerOf({ headers: { authorization = 'Bearer token-home' } }: Call): Record<string, string> {
  return { authorization }
}
