import type { onRequestHookHandler } from 'fastify'
import { DomainError, notFound } from '../domain/errors.ts'
import type { KnownPaths } from './known-paths.ts'

/**
 * 404 for an unknown path, naming the nearest; 405 with `Allow` for a known path and another method. Before the body is
 * read: what that holds must not change the answer.
 */
export function refuseUnknownPath(paths: KnownPaths): onRequestHookHandler {
  return (request, reply, done) => {
    if (!request.is404) return done()
    const [path = '/'] = request.url.split('?', 1)
    const methods = paths.methodsOf(path)
    if (methods.length > 0) {
      const allow = methods.join(', ')
      reply.header('allow', allow)
      throw new DomainError('method-not-allowed', `${request.method} is not one of ${allow} for this path`)
    }
    const nearest = paths.nearestTo(path)
    const hint = nearest ? `; the nearest path is ${nearest}` : ''
    throw notFound(`this path is unknown${hint}`)
  }
}
