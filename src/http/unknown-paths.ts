import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import { collectPaths, type KnownPaths } from './known-paths.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every path that is answered. */
    knownPaths: KnownPaths
  }
}

/** 404 for an unknown path, naming the nearest; 405 with `Allow` for a known path and another method. */
export function answerUnknownPaths(app: FastifyInstance): void {
  const paths = collectPaths(app)
  app.decorate('knownPaths', { getter: () => paths })
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '/'] = request.url.split('?', 1)
    const methods = paths.methodsOf(path)
    if (methods.length > 0) {
      const allow = methods.join(', ')
      reply.header('allow', allow)
      throw new DomainError('method-not-allowed', `${request.method} is not one of ${allow} for this path`, {
        source: 'our choice',
      })
    }
    const nearest = paths.nearestTo(path)
    const hint = nearest ? `; the nearest path is ${nearest}` : ''
    throw new DomainError('not-found', `this path is unknown${hint}`, { source: 'our choice' })
  }
  // Before the body is read: what it holds must not change the answer.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(request, reply)
    done()
  })
  app.setNotFoundHandler(refuse)
}
