import { findNearestPath } from '../../contract/records/nearest.ts'
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
      return findNearestPath(
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

export function fits({ segments }: KnownPath, path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
  )
}
