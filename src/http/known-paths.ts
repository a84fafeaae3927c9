import type { FastifyInstance } from 'fastify'

interface KnownPath {
  pattern: string
  segments: string[]
  methods: Set<string>
}

export interface KnownPaths {
  /** Methods that a path takes; none when the path is unknown. */
  methodsOf(path: string): string[]
  /** The known path that comes nearest to an unknown one. */
  nearestTo(path: string): string | undefined
}

/** Remembers every route as it is registered, for 405 with `Allow` and for helpful 404s. */
export function collectPaths(app: FastifyInstance): KnownPaths {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: url, segments: url.split('/'), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    paths.set(url, known)
  })
  return {
    methodsOf(path) {
      const segments = path.split('/')
      const matching = [...paths.values()].filter((known) => fits(known.segments, segments))
      return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
    },
    nearestTo(path) {
      // A longer path costs more to compare and is no typing mistake.
      if (path.length > 200) return undefined
      const ranked = [...paths.values()].map(({ pattern }) => ({ pattern, distance: editDistance(path, pattern) }))
      return ranked.sort((a, b) => a.distance - b.distance)[0]?.pattern
    },
  }
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, i) => (segment.startsWith(':') ? path[i] !== '' : segment === path[i]))
  )
}

/** Levenshtein: how many letters to change, add or leave out. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(substitution, row[j]! + 1, next[j - 1]! + 1)
    }
    row = next
  }
  return row[b.length]!
}
