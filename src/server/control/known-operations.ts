import { type FaultDraft, soapOperations } from '#contract/records/control/fault.ts'
import { findNearest, findNearestPath, sayNearest } from '#contract/records/nearest.ts'
import { fitsPattern } from '../chaos/request-match.ts'
import { type Finding, finding, invalidInput } from '../domain/errors.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { fits, type KnownPath } from '../http/known-paths.ts'
import { toOperationId } from '#contract/documents/operation-id.ts'

/**
 * An operationId, or a method with its path, is taken for the number or name. A name that no request can have is
 * refused, because a fault or expectation of it would silently never match.
 */
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
  for (const each of known.filter(({ pattern }) => isVendorTraffic(pattern))) {
    const asked = each.operations.get(method.toUpperCase())
    if (asked !== undefined && (each.pattern === path || fits(each, segments))) return toOperation(asked)
    for (const [own, operation] of each.operations) {
      names.set(operation, operation).set(toOperationId(own, each.pattern), operation)
    }
  }
  const found = names.get(text)
  if (found !== undefined) return toOperation(found)
  const nearest = path === undefined ? findNearest(text, [...names.keys()].filter(isName)) : findNearLine(text, known)
  const hint = nearest
    ? `the nearest is ${nearest}`
    : `there is ${sayOperations([...new Set(names.values())])}, or METHOD and path`
  throw invalidInput([finding(target, `is no operation; ${hint}`, ours)])
}

const isName = (text: string) => !/^\d+$/.test(text)

/** Only the documents' methods and paths are offered as the nearest. */
function findNearLine(text: string, known: readonly KnownPath[]): string | undefined {
  const vendor = known.filter(({ pattern }) => isVendorTraffic(pattern))
  return findNearestPath(
    text,
    vendor.flatMap(({ pattern, operations }) => [...operations.keys()].map((method) => `${method} ${pattern}`)),
  )
}

const ours = { source: 'our choice: known-operations' } as const

const toOperation = (name: string): number | string => (isName(name) ? name : Number(name))

/** Numbers are told as one range, `1 to 41, createServiceToken, ...`. */
function sayOperations(names: readonly string[]): string {
  const numbers = names.map(Number).filter(Number.isInteger)
  const others = names.filter(isName)
  return [`${Math.min(...numbers)} to ${Math.max(...numbers)}`, ...others].join(', ')
}

/** The journal holds no prefix of a world, so a path with one would never match. */
export function assertPath(path: string | undefined, target: string, known: readonly KnownPath[]): void {
  const findings = judgePath(path, target, known)
  if (findings.length > 0) throw invalidInput(findings)
}

function judgePath(path: string | undefined, target: string, known: readonly KnownPath[]): Finding[] {
  if (path === undefined) return []
  const patterns = known.map(({ pattern }) => pattern).filter(isVendorTraffic)
  if (patterns.some((pattern) => couldFit(path, pattern))) return []
  const nearest = sayNearest(withoutPrefixes(path), patterns)
  return [finding(target, `is no path of the documents${nearest}`, ours)]
}

/** A path may be copied from an address, with its prefixes. */
function withoutPrefixes(path: string): string {
  return path.replace(/^\/w\/[^/]*(?=\/)/, '').replace(/^\/support-api\/stg(?=\/)/, '')
}

const SOAP = '/iap/'
const WALLET = '/wallet/'

/** The fault names its operation as the journal does; one that could never strike is refused. */
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

/** A fault that could never strike, or that answers in another document's dialect, is a mistake of its author. */
function assertReachable({ match, respond }: FaultDraft, target: string, known: readonly KnownPath[]): void {
  const vendor = known.filter(({ pattern }) => isVendorTraffic(pattern))
  const { operation, path, soapOperation, method } = match
  const findings: Finding[] = []
  const refuse = (part: string, rule: string) => findings.push(finding(`${target}.${part}`, rule, ours))

  findings.push(...judgePath(path, `${target}.match.path`, known))
  const onPath = vendor.filter(({ pattern }) => path === undefined || couldFit(path, pattern))
  if (findings.length > 0) throw invalidInput(findings)

  const wanted = soapOperation ?? (operation === undefined ? undefined : String(operation))
  const isSoap = wanted !== undefined && (soapOperations as readonly string[]).includes(wanted)
  const candidates = onPath.filter(
    ({ pattern, operations: own, methods }) =>
      (wanted === undefined || (isSoap ? pattern.startsWith(SOAP) : [...own.values()].includes(wanted))) &&
      (method === undefined || methods.has(method)),
  )
  const isAnother = soapOperation !== undefined && operation !== undefined && operation !== soapOperation
  if (isAnother || candidates.length === 0) refuse('match', 'fits no request: its parts contradict each other')
  const fitsAll = (prefix: string) => candidates.every(({ pattern }) => pattern.startsWith(prefix))
  if (respond && 'fault' in respond && !fitsAll(SOAP)) {
    refuse('respond', 'is the dialect of SOAP alone; the nearest for other requests is {status}')
  }
  if (respond && 'resultCode' in respond && !fitsAll(WALLET)) {
    refuse('respond', 'is the dialect of the wallet alone; the nearest for other requests is {status}')
  }
  if (findings.length > 0) throw invalidInput(findings)
}

function couldFit(wanted: string, route: string): boolean {
  const pattern = route.replace(/:[^/]+/g, '*')
  if (!wanted.includes('*')) return fitsPattern(pattern, wanted)
  // A parameter may be any text, so the pattern of the parameter itself serves as one.
  return fitsPattern(wanted, pattern) || fitsPattern(pattern, wanted)
}
