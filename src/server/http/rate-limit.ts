import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import type { Clock } from '../ports/clock.ts'
import { isVendorTraffic } from '../../contract/control/vendor-traffic.ts'

export interface RateLimit {
  /** Requests a minute that one caller may make; as many at once. */
  perMinute: number
  clock: Clock
}

/** Callers that are remembered; those not seen for longest are forgotten first, with their bucket full again. */
const MOST_CALLERS = 10_000

/** Over the limit: 429 with Retry-After. A caller is who it says it is, at the address it calls from. */
export function limitRate({ perMinute, clock }: RateLimit): onRequestHookHandler {
  const buckets = new Map<string, { tokens: number; at: number }>()
  const perMs = perMinute / 60_000

  return (request, reply, done) => {
    if (!isVendorTraffic(request.url)) return done()
    const caller = nameOf(request)
    const now = clock.now()
    const bucket = buckets.get(caller) ?? { tokens: perMinute, at: now }
    bucket.tokens = Math.min(perMinute, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    bucket.at = now
    buckets.delete(caller)
    buckets.set(caller, bucket)
    if (buckets.size > MOST_CALLERS) buckets.delete(buckets.keys().next().value!)
    if (bucket.tokens >= 1) {
      bucket.tokens--
      return done()
    }
    const seconds = Math.ceil((1 - bucket.tokens) / perMs / 1000)
    reply.header('retry-after', String(seconds))
    done(
      new DomainError('too-many-requests', `more than ${perMinute} requests a minute`, {
        source: 'our choice: rate-limit',
      }),
    )
  }
}

function nameOf({ headers, ip }: FastifyRequest): string {
  const identity =
    headers['vendorus-profid'] ??
    headers['vendorus-guid'] ??
    headers.authorization ??
    headers['partnercode'] ??
    headers.cookie
  return `${ip} ${String(identity ?? '').slice(0, 200)}`
}
