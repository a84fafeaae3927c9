import type { FastifyInstance, HTTPMethods, onRequestHookHandler } from 'fastify'
import { DomainError, notFound } from '../domain/errors.ts'
import { findNearest } from '../../contract/records/nearest.ts'
import type { RouteDescription } from './openapi/operation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is there to refuse its methods. */
    refusesMethod?: boolean
  }
}

export interface KnownPath {
  /** With its parameters, such as `/filters/:subscriptionId/activate`. */
  pattern: string
  operations: string[]
  segments: string[]
  methods: Set<string>
}

export interface KnownPaths {
  list(): readonly KnownPath[]
  methodsOf(path: string): string[]
  nearestTo(path: string): string | undefined
}

/** Every path that is answered, for 405 with `Allow` and for helpful 404s; asked when all routes are registered. */
export function createKnownPaths(routes: readonly RouteDescription[]): KnownPaths {
  let known: readonly KnownPath[] | undefined
  const list = () => {
    known ??= readPaths(routes)
    return known
  }

  return {
    list,
    methodsOf(path) {
      const segments = path.split('/')
      const matching = list().filter((each) => fits(each.segments, segments))
      return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
    },
    nearestTo(path) {
      return findNearest(
        path,
        list().map(({ pattern }) => pattern),
      )
    },
  }
}

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
    const hint = nearest ? `; the nearest path is ${nearest}` : '; GET / tells what there is'
    throw notFound(`this path is unknown${hint}`)
  }
}

/** 405 for a path whose refusals its document draws in a way of its own. */
export function refuseOtherMethods(app: FastifyInstance, url: string, taken: string[], message: string): void {
  app.route({
    method: ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'].filter((method) => !taken.includes(method)) as HTTPMethods[],
    url,
    config: { refusesMethod: true },
    onRequest: async (_request, reply) => {
      reply.header('allow', taken.join(', '))
      throw new DomainError('method-not-allowed', message)
    },
    // Never reached.
    handler: () => {},
  })
}

function readPaths(routes: readonly RouteDescription[]): KnownPath[] {
  const paths = new Map<string, KnownPath>()
  for (const { url, method, config } of routes) {
    const known = paths.get(url) ?? { pattern: url, operations: [], segments: url.split('/'), methods: new Set() }
    if (!config.refusesMethod) known.methods.add(method)
    if (config.operation !== undefined) known.operations.push(String(config.operation))
    paths.set(url, known)
  }
  return [...paths.values()]
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
  )
}
