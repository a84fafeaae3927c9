import type { FastifyInstance, HTTPMethods, onRequestHookHandler } from 'fastify'
import { findNearestPath } from '#contract/records/nearest.ts'
import { DomainError, notFound } from '../domain/errors.ts'
import type { KnownPath, KnownPaths } from './known-paths.ts'

/**
 * Returns 404 with the nearest path if the path is unknown, and 405 with `Allow` if the path does not support the
 * method. Runs before the body is read, because the body must not affect the response.
 */
export function refuseUnknownPath(paths: KnownPaths): onRequestHookHandler {
  return (request, reply, done) => {
    if (!request.is404) return done()
    const [path = '/'] = request.url.split('?', 1)
    const methods = paths.methodsOf(path)
    if (methods.length > 0) {
      const allow = methods.join(', ')
      reply.header('allow', allow)
      throw new DomainError('method-not-allowed', `this path supports ${allow}, not ${request.method}`, {
        source: 'our choice: further-statuses',
      })
    }
    const near = describeNear(paths.list(), path)
    throw notFound(`this path is unknown; ${near}; /llms.txt lists the pages`, 'our choice: further-statuses')
  }
}

/**
 * The path with the most similar spelling may have nothing to do with the request. If known paths start with this path,
 * one of them is suggested instead.
 */
function describeNear(known: readonly KnownPath[], path: string): string {
  const start = path.endsWith('/') ? path : `${path}/`
  const below = known
    .filter(({ pattern, methods }) => !/[:*]/.test(pattern) && methods.has('GET'))
    .map(({ pattern }) => pattern)
    .filter((pattern) => pattern.startsWith(start) && pattern !== start)
  const example = below.find((each) => each.endsWith('/status')) ?? below[0]
  if (example !== undefined) return `below it are ${below.length} paths, such as ${example}`
  const nearest = findNearestPath(
    path,
    known.map(({ pattern }) => pattern),
  )
  return nearest ? `the nearest path is ${nearest}` : 'GET / lists the APIs'
}

/** Rejects other methods at the SOAP address. HTTP errors at this address have a short plain-text body. */
export function refuseOtherMethods(app: FastifyInstance, url: string, taken: string[], message: string): void {
  app.route({
    method: ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'].filter((method) => !taken.includes(method)) as HTTPMethods[],
    url,
    config: { refusesMethod: true },
    onRequest: async (_request, reply) => {
      reply.header('allow', taken.join(', '))
      throw new DomainError('method-not-allowed', message, { source: 'our choice: soap-http-errors' })
    },
    handler: () => {},
  })
}
