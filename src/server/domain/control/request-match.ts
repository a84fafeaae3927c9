import { decodeText } from '../../../contract/records/decoded-text.ts'
import type { RequestMatch } from '../../../contract/records/control/request-match.ts'

export interface MatchedRequest {
  operation?: number | string | undefined
  method?: string | undefined
  path?: string | undefined
  caller?: string | undefined
  /** As it stands in the address, without the question mark. */
  query?: string | undefined
  /** By lower-case name. */
  headers?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
}

/** Whether the line of a request fits: all that can be told without reading the rest. */
export function fitsLine(
  { operation, method, path, caller }: Pick<RequestMatch, 'operation' | 'method' | 'path' | 'caller'>,
  request: MatchedRequest,
): boolean {
  return (
    // The number of an operation may be written as text.
    (operation === undefined || String(operation) === String(request.operation)) &&
    (method === undefined || method === request.method) &&
    (path === undefined || (request.path !== undefined && fitsPattern(path, request.path))) &&
    (caller === undefined || caller === request.caller)
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

/** `*` stands for anything; the parts between are looked for one after the other, so no pattern can blow up. */
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

/** Parameters of a query, decoded; what cannot be decoded stays as it is. */
export function readParameters(query: string): [name: string, value: string][] {
  if (query === '') return []
  return query.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [decodeText(pair), ''] : [decodeText(pair.slice(0, at)), decodeText(pair.slice(at + 1))]
  })
}

function holdsParameters(query: string, wanted: Readonly<Record<string, string>>): boolean {
  const given = readParameters(query)
  return Object.entries(wanted).every(([name, value]) =>
    given.some(([givenName, givenValue]) => givenName === name && givenValue === value),
  )
}

function holdsHeaders(headers: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const lower = name.toLowerCase()
    return Object.hasOwn(headers, lower) && String(headers[lower]).includes(value)
  })
}

/** Objects hold at least the wanted fields, lists an entry for each wanted one; texts and numbers compare as texts. */
function holds(given: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(given) && holdsEntries(given, wanted)
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof given !== 'object' || given === null) return false
    return Object.entries(wanted).every(
      ([name, value]) => Object.hasOwn(given, name) && holds((given as Record<string, unknown>)[name], value),
    )
  }
  return given === wanted || (isScalar(given) && isScalar(wanted) && String(given) === String(wanted))
}

/** Comparisons of two lists' entries, each with each, that cost less than an index. */
const FEW = 1000

function holdsEntries(given: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (given.length * wanted.length <= FEW) {
    return wanted.every((each) => given.some((entry) => holds(entry, each)))
  }
  const distinct = new Map(wanted.map((each) => [JSON.stringify(each), each]))
  const byLeaf = indexOf(given)
  return [...distinct.values()].every((each) => {
    let candidates = given
    for (const leaf of leavesOf(each)) {
      const holding = byLeaf.get(leaf) ?? []
      if (holding.length < candidates.length) candidates = holding
    }
    return candidates.some((entry) => holds(entry, each))
  })
}

/** Entries of a list by the simple values in them: faults ask for those of one body again and again. */
const indexes = new WeakMap<readonly unknown[], Map<string, unknown[]>>()

function indexOf(list: readonly unknown[]): Map<string, unknown[]> {
  const known = indexes.get(list)
  if (known) return known
  const index = new Map<string, unknown[]>()
  for (const entry of list) {
    for (const leaf of leavesOf(entry)) {
      const entries = index.get(leaf)
      if (!entries) index.set(leaf, [entry])
      else if (entries.at(-1) !== entry) entries.push(entry)
    }
  }
  indexes.set(list, index)
  return index
}

/** The simple values at any depth, each with its place: what holds a value has all of its leaves. */
function leavesOf(value: unknown, place = '', leaves: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) leaves.push(`${place}=${String(value)}`)
  else if (Array.isArray(value)) for (const each of value) leavesOf(each, `${place}[]`, leaves)
  else for (const name in value) leavesOf((value as Record<string, unknown>)[name], `${place}.${name}`, leaves)
  return leaves
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
