import { type Place, placesOf, sayValue, withValue } from '../call-places.ts'
import { type Call, exampleOf } from '../../calls/call.ts'
import { listKnown } from '../known/identifiers.ts'
import type { Change, Ground, Mender } from '../mender.ts'
import { findRecord, listRecords, nearestFirst } from '../known/records.ts'
import { withIdentity } from './origin.ts'

const MOST = 4

/** The record may be the caller's but in no state for the call, so its neighbours are tried too. */
export const mendIdentifiers: Mender = async (ground, { call, refusal: { status, code } }) => {
  if (!call.operation || (status !== 404 && !/^(?:ConflictError|LimitExceeded)$/.test(code))) return []
  const places = await findLists(ground, call)
  const unknown = places.filter(({ place, known }) => !known.includes(place.value))
  const changes = (unknown.length > 0 ? unknown : places).flatMap(({ place, known }) => toChanges(call, place, known))
  const others = await asOthers(ground, call)
  const own = changes.slice(0, 2)
  return [...own, ...others.slice(0, 3), ...changes.slice(2), ...leaveOut(call), ...asExample(call)]
}

async function findLists({ fork }: Ground, call: Call) {
  const found = await Promise.all(
    placesOf(call).map(async (place) => ({ place, known: await listKnown(fork, call, place.name) })),
  )
  return found.flatMap(({ place, known }) => (known && known.length > 0 ? [{ place, known }] : []))
}

function toChanges(call: Call, { target, value }: Place, known: readonly string[]): Change[] {
  return nearestFirst(value, known)
    .slice(0, MOST)
    .map((near) => ({ call: withValue(call, target, near), told: `${target} is ${sayValue(near)}, which there is` }))
}

/** A parameter may narrow a search to nothing. */
function leaveOut(call: Call): Change[] {
  if (call.method !== 'GET') return []
  return Object.keys(call.query).map((name) => ({
    call: withValue(call, `query.${name}`, undefined),
    told: `query.${name} is left out`,
  }))
}

/** A request belongs to whoever made it, so its owner is tried as the caller. */
async function asOthers({ fork, people }: Ground, call: Call): Promise<Change[]> {
  if (call.operation?.scope !== 'users') return []
  const { srid } = call.query
  if (typeof srid !== 'string') {
    return people.callers.map((name) => ({ call: withIdentity(call, name), told: `${name} calls` }))
  }
  const others = await listRecords(fork, 'inStoreRequests', { limit: 3 })
  const named = (await findRecord(fork, 'inStoreRequests', srid)) ?? []
  return [named, others].flat().map((request) => {
    const name = String(request.userId).replace(/^\w+:/, '')
    const own = withValue(call, 'query.srid', request.srid)
    return { call: withIdentity(own, name), told: `${name} calls, whose request ${String(request.srid)} is` }
  })
}

/** The operation's own example is the last resort. */
function asExample(call: Call): Change[] {
  const { params = {}, query = {}, headers = {} } = exampleOf(call.operation!)
  const named = { ...params, ...query }
  if (Object.keys(named).length === 0) return []
  const changed = Object.entries({ params, query }).reduce(
    (each, [part, values]) =>
      Object.entries(values).reduce((at, [name, value]) => withValue(at, `${part}.${name}`, value), each),
    call,
  )
  const caller = headers['vendorus-profId']
  return [
    {
      call: caller === undefined ? changed : withIdentity(changed, caller),
      told: `it is the example of the operation`,
    },
  ]
}
