import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'

const METHODS = 'GET, HEAD, POST, PUT, DELETE'
const EXPOSED =
  'x-request-id, x-total-count, retry-after, ratelimit, ratelimit-policy, www-authenticate, x-vendor-cloud-rule, ' +
  'x-vendor-cloud-fault'
/** The header names that a browser asks for are allowed back as they are. */
const HEADER_NAMES = /^[A-Za-z0-9-]{1,64}(\s*,\s*[A-Za-z0-9-]{1,64}){0,49}$/

const LOOPBACK = /^https?:\/\/(([a-z\d-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Lets pages of the listed origins call the documents' paths, but not the control API and the console. `loopback` means
 * all origins of this machine. Errors and faults come later, so that pages can read them.
 */
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

/** The request is the preflight of an allowed page. */
export function isPreflight({ method }: FastifyRequest, reply: FastifyReply): boolean {
  return method === 'OPTIONS' && reply.hasHeader('access-control-allow-methods')
}

export const endPreflight: onRequestHookHandler = (request, reply, done) => {
  if (isPreflight(request, reply)) reply.code(204).send()
  else done()
}
