import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'

const METHODS = 'GET, HEAD, POST, PUT, DELETE'
const EXPOSED =
  'x-request-id, x-total-count, retry-after, ratelimit, ratelimit-policy, www-authenticate, x-vendor-cloud-rule, ' +
  'x-vendor-cloud-fault'
/** If the header names in a preflight match this pattern, the response repeats them unchanged. */
const HEADER_NAMES = /^[A-Za-z0-9-]{1,64}(\s*,\s*[A-Za-z0-9-]{1,64}){0,49}$/

const LOOPBACK = /^https?:\/\/(([a-z\d-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Not for the control API or the console. Runs before any error or fault, so that pages can read error responses. */
export function allowOrigins(origins: readonly string[]): onRequestHookHandler {
  const allowed = new Set(origins)
  const isAllowed = (origin: string) => allowed.has(origin) || (allowed.has('loopback') && LOOPBACK.test(origin))
  return (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined || !isVendorTraffic(request.url)) return done()
    reply.header('vary', 'origin')
    if (!isAllowed(origin)) return done()
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED,
    })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return done()
    const asked = String(request.headers['access-control-request-headers'] ?? '')
    reply.header('access-control-allow-methods', METHODS).header('access-control-max-age', '600')
    if (HEADER_NAMES.test(asked)) reply.header('access-control-allow-headers', asked)
    done()
  }
}

export function isPreflight({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return method === 'OPTIONS' && reply.hasHeader('access-control-allow-methods')
}

export const endPreflight: onRequestHookHandler = (request, reply, done) => {
  if (isPreflight(request, reply)) reply.code(204).send()
  else done()
}
