import { closest } from 'fastest-levenshtein'
import type { FastifyInstance } from 'fastify'

export interface KnownPath {
  /** With its parameters, such as `/filters/:subscriptionId/activate`. */
  pattern: string
  operations: string[]
  segments: string[]
  methods: Set<string>
}

export interface KnownPaths {
  list(): KnownPath[]
  /** Methods that a path takes; none when the path is unknown. */
  methodsOf(path: string): string[]
  /** The known path that comes nearest to an unknown one. */
  nearestTo(path: string): string | undefined
}

/** Remembers every route as it is registered, for 405 with `Allow` and for helpful 404s. */
export function collectPaths(app: FastifyInstance): KnownPaths {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method, config }) => {
    const known = paths.get(url) ?? { pattern: url, operations: [], segments: url.split('/'), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    if (config?.operation !== undefined) known.operations.push(String(config.operation))
    paths.set(url, known)
  })
  return {
    list: () => [...paths.values()],
    methodsOf(path) {
      const segments = path.split('/')
      const matching = [...paths.values()].filter((known) => fits(known.segments, segments))
      return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
    },
    nearestTo(path) {
      // A longer path costs more to compare and is no typing mistake.
      return path.length > 200 ? undefined : closest(path, [...paths.keys()])
    },
  }
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
  )
}
