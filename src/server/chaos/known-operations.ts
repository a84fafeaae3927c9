import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { toOperationId } from '#contract/documents/operation-id.ts'
import { type FaultDraft, soapOperations } from '#contract/records/control/fault.ts'
import { findNearest, findNearestPath, suggestNearest } from '#contract/records/nearest.ts'
import { fitsPattern } from './request-match.ts'
import { type Finding, finding, invalidInput } from '../domain/errors.ts'
import { fits, type KnownPath } from '../http/known-paths.ts'

const ours = { source: 'our choice: known-operations' } as const
const impossible = { source: 'our choice: faults' } as const

/** Throws for an unknown operation, because a fault or expectation for it would silently never match. */
export function readOperation(
  given: number | string | undefined,
  target: string,
  known: readonly KnownPath[],
): number | string | undefined {
  if (given === undefined) return undefined
  const text = String(given)
  const [method = '', path] = text.split(' ', 2)
  const segments = path?.split('/') ?? []
  const names = new Map<string, string>(soapOperations.map((name) => [name, name]))
  const lines: string[] = []
  for (const each of known.filter(isOfVendor)) {
    const { pattern, operations } = each
    const asked = operations.get(method.toUpperCase())
    if (asked !== undefined && (pattern === path || fits(each, segments))) return toOperation(asked)
    for (const [own, operation] of operations) {
      names.set(operation, operation).set(toOperationId(own, pattern), operation)
      lines.push(`${own} ${pattern}`)
    }
  }
  const found = names.get(text)
  if (found !== undefined) return toOperation(found)
  const nearest =
    lines.find((line) => line.endsWith(path ?? `/${text}`)) ??
    (path === undefined ? findNearest(text, [...names.keys()].filter(isName)) : findNearestPath(text, lines))
  const hint = nearest
    ? `; the nearest is ${nearest}`
    : `. Use ${listOperations(names.values())}, or a method and a path`
  throw invalidInput([finding(target, `${text.slice(0, 100)} is not an operation${hint}`, ours)])
}

const isOfVendor = ({ pattern }: KnownPath) => isVendorTraffic(pattern)
const isName = (text: string) => !/^\d+$/.test(text)
const toOperation = (name: string): number | string => (isName(name) ? name : Number(name))

/** Numbers are listed as one range: `1 to 41, createServiceToken, ...`. */
function listOperations(operations: Iterable<string>): string {
  const all = [...new Set(operations)]
  const numbers = all.filter((each) => !isName(each)).map(Number)
  return [`${Math.min(...numbers)} to ${Math.max(...numbers)}`, ...all.filter(isName)].join(', ')
}

/** The journal stores paths without a world prefix, so a path with a prefix would never match. */
export function assertPath(path: string | undefined, target: string, known: readonly KnownPath[]): void {
  const patterns = known.filter(isOfVendor).map(({ pattern }) => pattern)
  if (path === undefined || patterns.some((pattern) => couldFit(path, pattern))) return
  // The path may have been copied from a URL together with its prefixes.
  const bare = path.replace(/^\/w\/[^/]*(?=\/)/, '').replace(/^\/support-api\/stg(?=\/)/, '')
  // A wildcard is compared with paths of the same length: `/walet/*` with `/wallet/*`.
  const [start = '', end] = bare.split(/(\/\*.*)/s)
  const shorten = (pattern: string) => `${pattern.split('/', start.split('/').length).join('/')}${end}`
  const similar = end === undefined ? patterns : [...new Set(patterns.map(shorten))]
  throw invalidInput([finding(target, `is not a path of the documents${suggestNearest(bare, similar)}`, ours)])
}

/** Replaces the operation in the fault with its name in the journal. Rejects a fault that could never apply. */
export function toKnownFault<Draft extends FaultDraft>(
  draft: Draft,
  target: string,
  known: readonly KnownPath[],
): Draft {
  const operation = readOperation(draft.match.operation, `${target}.match.operation`, known)
  const named = { ...draft, match: { ...draft.match, ...(operation !== undefined && { operation }) } }
  assertReachable(named, target, known)
  return named
}

const SOAP = '/iap/'
const WALLET = '/wallet/'

/** Rejects a fault that could never apply, or that defines its response in the format of another document. */
function assertReachable({ match, respond }: FaultDraft, target: string, known: readonly KnownPath[]): void {
  const { operation, path, soapOperation, method } = match
  assertPath(path, `${target}.match.path`, known)
  const wanted = soapOperation ?? (operation === undefined ? undefined : String(operation))
  const isSoap = wanted !== undefined && (soapOperations as readonly string[]).includes(wanted)
  const candidates = known.filter(
    ({ pattern, operations: own, methods }) =>
      isVendorTraffic(pattern) &&
      (path === undefined || couldFit(path, pattern)) &&
      (wanted === undefined || (isSoap ? pattern.startsWith(SOAP) : [...own.values()].includes(wanted))) &&
      (method === undefined || (isSoap ? method === 'POST' : methods.has(method))),
  )
  const findings: Finding[] = []
  const isAnother = soapOperation !== undefined && operation !== undefined && operation !== soapOperation
  if (isAnother || candidates.length === 0) {
    findings.push(finding(`${target}.match`, 'cannot match any request: its parts contradict each other', impossible))
  }
  const requireDialect = (field: string, name: string, prefix: string) => {
    if (candidates.every(({ pattern }) => pattern.startsWith(prefix))) return
    const rule = `is only for ${name}. Use {status} for other requests`
    findings.push(finding(`${target}.respond.${field}`, rule, impossible))
  }
  if (respond && 'fault' in respond) requireDialect('fault', 'SOAP operations', SOAP)
  if (respond && 'resultCode' in respond) requireDialect('resultCode', 'the wallet', WALLET)
  if (findings.length > 0) throw invalidInput(findings)
}

function couldFit(wanted: string, route: string): boolean {
  const pattern = route.replace(/:[^/]+/g, '*')
  if (!wanted.includes('*')) return fitsPattern(pattern, wanted)
  // A parameter can have any value, including `*`, so the pattern can also be treated as a path.
  return fitsPattern(wanted, pattern) || fitsPattern(pattern, wanted)
}
