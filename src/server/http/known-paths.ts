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
  /** Numbers and names of its operations, by method. */
  operations: Map<string, string>
  segments: string[]
  methods: Set<string>
}

export interface KnownPaths {
  list(): readonly KnownPath[]
  methodsOf(path: string): string[]
  nearestTo(path: string): string | undefined
  /** Those that begin with this path and ask for nothing in it. */
  below(path: string): string[]
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
      const matching = list().filter((each) => fits(each, segments))
      return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
    },
    nearestTo(path) {
      return findNearest(
        path,
        list().map(({ pattern }) => pattern),
      )
    },
    below(path) {
      const start = path.endsWith('/') ? path : `${path}/`
      const isBelow = ({ pattern, methods }: KnownPath) =>
        pattern.startsWith(start) && pattern !== start && !/[:*]/.test(pattern) && methods.has('GET')
      return list()
        .filter(isBelow)
        .map(({ pattern }) => pattern)
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
      throw new DomainError('method-not-allowed', `this path takes ${allow}, not ${request.method}`, {
        source: 'our choice: further-statuses',
      })
    }
    throw notFound(
      `this path is unknown; ${describeNear(paths, path)}, /llms.txt the pages`,
      'our choice: further-statuses',
    )
  }
}

/** The beginning of known paths leads to these: the nearest by its letters may be anywhere. */
function describeNear(paths: KnownPaths, path: string): string {
  const below = paths.below(path)
  const example = below.find((each) => each.endsWith('/status')) ?? below[0]
  if (example !== undefined) return `below it are ${below.length} paths, such as ${example}`
  const nearest = paths.nearestTo(path)
  return nearest ? `the nearest path is ${nearest}` : 'GET / tells what there is'
}

/** 405 for a path whose refusals its document draws in a way of its own. */
export function refuseOtherMethods(app: FastifyInstance, url: string, taken: string[], message: string): void {
  app.route({
    method: ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'].filter((method) => !taken.includes(method)) as HTTPMethods[],
    url,
    config: { refusesMethod: true },
    onRequest: async (_request, reply) => {
      reply.header('allow', taken.join(', '))
      throw new DomainError('method-not-allowed', message, { source: 'our choice: further-statuses' })
    },
    // Never reached.
    handler: () => {},
  })
}

function readPaths(routes: readonly RouteDescription[]): KnownPath[] {
  const paths = new Map<string, KnownPath>()
  for (const { url, method, config } of routes) {
    const known = paths.get(url) ?? {
      pattern: url,
      operations: new Map(),
      segments: url.split('/'),
      methods: new Set(),
    }
    if (!config.refusesMethod) known.methods.add(method)
    if (config.operation !== undefined) known.operations.set(method, String(config.operation))
    paths.set(url, known)
  }
  return [...paths.values()]
}

/** Whether a path, in its segments, is one of a pattern's. */
export function fits({ segments }: KnownPath, path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
  )
}
