import { withoutBasePath } from '#contract/documents/base-path.ts'
import type { CallerType, RequestMatch } from '#contract/records/control/request-match.ts'

export interface MatchedRequest {
  operation?: number | string | undefined
  method?: string | undefined
  path?: string | undefined
  caller?: string | undefined
  callerType?: CallerType | undefined
  query?: string | undefined
  /** The header names are in lower case. */
  headers?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
}

export function fitsLine(
  { operation, method, path, caller }: Pick<RequestMatch, 'operation' | 'method' | 'path' | 'caller'>,
  request: MatchedRequest,
): boolean {
  return (
    (operation === undefined || String(operation) === String(request.operation)) &&
    (method === undefined || method === request.method) &&
    (path === undefined || (request.path !== undefined && fitsPath(path, request.path))) &&
    (caller === undefined || caller === request.caller || caller === request.callerType)
  )
}

export function fitsContent(
  { query, header, body }: Pick<RequestMatch, 'query' | 'header' | 'body'>,
  request: MatchedRequest,
): boolean {
  return (
    (query === undefined || holdsParameters(request.query ?? '', query)) &&
    (header === undefined || holdsHeaders(request.headers ?? {}, header)) &&
    (body === undefined || holds(request.body, body))
  )
}

/** A path with the base path of document 1 also matches without it. */
function fitsPath(pattern: string, path: string): boolean {
  const bare = withoutBasePath(path)
  return fitsPattern(pattern, path) || (bare !== path && fitsPattern(pattern, bare))
}

/** `*` matches any text. The parts between the asterisks are searched in order, so that every pattern is fast. */
export function fitsPattern(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === path
  if (!path.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = path.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

function holdsParameters(query: string, wanted: Readonly<Record<string, string>>): boolean {
  const given = new URLSearchParams(query)
  return Object.entries(wanted).every(([name, value]) => given.getAll(name).includes(value))
}

function holdsHeaders(headers: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const lower = name.toLowerCase()
    return Object.hasOwn(headers, lower) && String(headers[lower]).includes(value)
  })
}

/** Lists need a match for each wanted entry. A string and a number match if they have the same text. */
export function holds(given: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(given) && wanted.every((each) => given.some((entry) => holds(entry, each)))
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof given !== 'object' || given === null) return false
    return Object.entries(wanted).every(
      ([name, value]) => Object.hasOwn(given, name) && holds((given as Record<string, unknown>)[name], value),
    )
  }
  if (given === wanted) return true
  return typeof given !== typeof wanted && isScalar(given) && isScalar(wanted) && String(given) === String(wanted)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
