import { findExample } from '../../../../contract/example.ts'
import { identityOf } from '../../calls/callers.ts'
import type { Call } from '../../calls/call.ts'
import type { Change, Mender } from '../mender.ts'
import { withValue } from '../call-places.ts'
import { findNearest } from '../../../../contract/records/nearest.ts'
import { REDACTED } from '../../../../contract/records/secret-names.ts'

const ORIGINS = ['vendor.com', 'splus', 'voyager']

/** Document 1, section 5, rule 1 demands the origin of a request, and who calls. */
export const mendOrigin: Mender = (_, { call, refusal: { findings } }) => {
  if (!findings.some(({ target }) => target === 'header.request-source')) return []
  const given = call.headers['request-source'] ?? ''
  const origin =
    call.headers['vendorus-guid'] === undefined ? (findNearest(given.toLowerCase(), ORIGINS) ?? ORIGINS[0]!) : 'splus'
  return [{ call: withValue(call, 'header.request-source', origin), told: `request-source is ${origin}` }]
}

/** An identity may be missing, malformed or not allowed; people of the fixtures who may call are tried. */
export const mendIdentity: Mender = ({ people }, { call, refusal: { status, source } }) => {
  const { scope = '', of = '' } = call.operation ?? {}
  if (of !== 'support' || !(status === 401 || status === 403)) return []
  if (status === 403 && source === 'our choice: dealer-company' && namesCompany(call)) return []
  const names = scope === 'dealers' ? people.dealers : people.callers
  const role = scope === 'dealers' ? ', a dealer,' : ''
  return [ownExample(call), ...names].flatMap((name): Change[] => {
    if (name === undefined) return []
    return [{ call: withIdentity(call, name), told: `${name}${role} calls` }]
  })
}

/** Document 1 gives dealers companies, and no dealer may name another company than the own one. */
export const mendCompany: Mender = ({ people }, { call, refusal: { status, source } }) => {
  if (status !== 403 || source !== 'our choice: dealer-company' || !namesCompany(call)) return []
  const target = call.query.companyId === undefined ? 'body.companyId' : 'query.companyId'
  const own = {
    call: withValue(call, target, undefined),
    told: `${target} is left out, so that it is the caller's own`,
  }
  return [own, ...people.dealers.map((name) => ({ call: withIdentity(call, name), told: `${name}, a dealer, calls` }))]
}

function namesCompany({ query, body }: Call): boolean {
  const { companyId } = (typeof body === 'object' && body !== null ? body : {}) as { companyId?: unknown }
  return query.companyId !== undefined || companyId !== undefined
}

function ownExample({ operation }: Call): string | undefined {
  if (!operation) return undefined
  const { scope, contract } = operation
  const { headers } = findExample({ scope, ...(contract.example && { example: contract.example }) }) ?? {}
  return headers?.['vendorus-profId']
}

export function withIdentity(call: Call, name: string): Call {
  const { 'vendorus-profid': _, 'vendorus-guid': __, cookie, ...others } = call.headers
  const identity = Object.entries(identityOf(name)).map(([header, value]) => [header.toLowerCase(), value])
  const kept = cookie === undefined || /vendorus-profId/i.test(cookie) || cookie === REDACTED ? {} : { cookie }
  return { ...call, headers: { ...others, ...kept, ...Object.fromEntries(identity) } }
}
