import type { RouteDescription } from './openapi/operation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the only purpose of the route is to reject methods that its path does not support. */
    refusesMethod?: boolean
  }
}

export interface KnownPath {
  /** Parameters have the form `:name`, as in `/filters/:subscriptionId/activate`. */
  pattern: string
  operations: Map<string, string>
  segments: string[]
  methods: Set<string>
}

export interface KnownPaths {
  list(): readonly KnownPath[]
  methodsOf(path: string): string[]
}

/** For `Allow` in 405 responses and suggestions in 404 responses. All routes must exist before the first use. */
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
