import { closest } from 'fastest-levenshtein'
import type { RouteDescription } from './openapi/operation.ts'

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
      // A longer path costs more to compare and is no typing mistake.
      return path.length > 200
        ? undefined
        : closest(
            path,
            list().map(({ pattern }) => pattern),
          )
    },
  }
}

function readPaths(routes: readonly RouteDescription[]): KnownPath[] {
  const paths = new Map<string, KnownPath>()
  for (const { url, method, config } of routes) {
    const known = paths.get(url) ?? { pattern: url, operations: [], segments: url.split('/'), methods: new Set() }
    known.methods.add(method)
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
