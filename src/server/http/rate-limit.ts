import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { findBearersUser } from '../domain/events/access-tokens.ts'
import { DomainError } from '../domain/errors.ts'
import { apps } from '../domain/identity.ts'
import { type Counted, countCall } from '../domain/rate-limits.ts'

/** Our choice `rate-limit`: a request that exceeds the limit gets 429 with `Retry-After` before any other check. */
export const limitRate: onRequestHookHandler = (request, reply, done) => {
  const limit = request.ports.world.choices['rate-limit']
  if (limit === 'none' || !isVendorTraffic(request.url)) return done()
  nameCaller(request)
    .then((caller) => countCall(request.ports, caller, limit))
    .then((counted) => {
      if (limit.headers !== false) tell(reply, counted)
      if (!counted.refused) return done()
      reply.header('retry-after', String(counted.seconds))
      const message = `more than ${limit.requests} ${limit.requests === 1 ? 'request' : 'requests'} per ${limit.per}`
      return done(new DomainError('too-many-requests', message, { source: 'our choice: rate-limit' }))
    }, done)
}

/** The headers have the format of the IETF draft, version 8 and later. */
function tell(reply: FastifyReply, { requests, window, left, seconds }: Counted): void {
  reply.header('ratelimit-policy', `"default";q=${requests};w=${window}`)
  reply.header('ratelimit', `"default";r=${left};t=${seconds}`)
}

/** Identifies the caller by identity, bearer token, partner code or address, in this order. */
async function nameCaller(request: FastifyRequest): Promise<string> {
  const { ports, headers, ip } = request
  const identity = identityOf(request)
  if (identity) return identity
  const [, token] = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
  const user = token && (await findBearersUser(ports, token))
  if (user) return `user:${user}`
  const partner = headers['partnercode']
  return partner ? `partner:${String(partner).slice(0, LONGEST)}` : `address:${ip}`
}

const LONGEST = 512

/** Returns undefined if the operation ignores the identity in the request. */
function identityOf({ headers, server, url }: FastifyRequest): string | undefined {
  if (!url.startsWith('/stg/us/') || url.startsWith('/stg/us/instore/noauth/')) return undefined
  const isApp = apps.includes(String(headers['request-source']))
  const cookie = headers.cookie && server.parseCookie(headers.cookie)['vendorus-profId']?.replace(/^"(.*)"$/, '$1')
  const value = isApp ? headers['vendorus-guid'] : cookie || headers['vendorus-profid']
  return value ? `${isApp ? 'guid' : 'profile'}:${String(value).slice(0, LONGEST)}` : undefined
}
