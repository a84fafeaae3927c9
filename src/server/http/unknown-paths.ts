import type { FastifyInstance, FastifyRequest, HTTPMethods, onRequestHookHandler } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { findNearestPath } from '#contract/records/nearest.ts'
import type { Source } from '#contract/rules.ts'
import { DomainError, notFound } from '../domain/errors.ts'
import type { KnownPath, KnownPaths } from './known-paths.ts'

const FURTHER = 'our choice: further-statuses'

/** Runs before the body is read, because the body must not affect the response. */
export function refuseUnknownPath(paths: KnownPaths): onRequestHookHandler {
  return (request, reply, done) => {
    if (!request.is404) return done()
    const [path = '/'] = request.url.split('?', 1)
    const methods = paths.methodsOf(path)
    if (methods.length > 0) {
      const allow = methods.join(', ')
      reply.header('allow', allow)
      const elsewhere = path === '/_control/tokens' ? '; GET /_control/records/accessTokens lists the tokens' : ''
      throw methodNotAllowed(request, `this path supports ${allow}, not ${request.method}${elsewhere}`, FURTHER)
    }
    const single = path.replaceAll(/\/{2,}/g, '/')
    if (single !== path && paths.methodsOf(single).length > 0) {
      throw notFound(`this path has two slashes in a row; the path without them is ${single}`, FURTHER)
    }
    const known = paths.list()
    if (/^\/_con(sole|trol)(\/|$)/.test(path) && !known.some(({ pattern }) => pattern.startsWith('/_control')))
      throw notFound(`${path} is off. Restart the server without CONTROL=off`, FURTHER)
    const near = describeNear(known, path)
    throw notFound(`this path is unknown; ${near}; /llms.txt lists the pages`, FURTHER)
  }
}

/** The preflight of an allowed origin never reaches this check. */
function methodNotAllowed({ method, url, headers }: FastifyRequest, message: string, source: Source): DomainError {
  const { origin } = headers
  if (method !== 'OPTIONS' || !origin || !headers['access-control-request-method'] || !isVendorTraffic(url))
    return new DomainError('method-not-allowed', message, { source })
  const given = origin.slice(0, 100)
  const cause = `origin ${given} is not in CORS_ORIGINS. Add it, for example CORS_ORIGINS=loopback,${given}`
  return new DomainError('method-not-allowed', cause, { source: 'our choice: cors-origins' })
}

/** Prefers paths that start with the requested one to the most similar spelling, which may be unrelated. */
function describeNear(known: readonly KnownPath[], path: string): string {
  const start = path.endsWith('/') ? path : `${path}/`
  const below = known
    .filter(({ pattern, methods }) => !/[:*]/.test(pattern) && methods.has('GET'))
    .map(({ pattern }) => pattern)
    .filter((pattern) => pattern.startsWith(start) && pattern !== start)
  const example = below.find((each) => each.endsWith('/status')) ?? below[0]
  if (example !== undefined) return `below it are ${below.length} paths, such as ${example}`
  const patterns = known.map(({ pattern }) => pattern)
  const nearest =
    patterns.find((pattern) => pattern.toLowerCase() === path.toLowerCase()) ?? findNearestPath(path, patterns)
  return nearest ? `the nearest path is ${nearest}` : 'GET / lists the APIs'
}

/** Rejects other methods at the SOAP address. HTTP errors at this address have a short plain-text body. */
export function refuseOtherMethods(app: FastifyInstance, url: string, taken: string[], message: string): void {
  app.route({
    method: ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'].filter((method) => !taken.includes(method)) as HTTPMethods[],
    url,
    config: { refusesMethod: true },
    onRequest: async (request, reply) => {
      reply.header('allow', taken.join(', '))
      throw methodNotAllowed(request, message, 'our choice: soap-http-errors')
    },
    handler: () => {},
  })
}
