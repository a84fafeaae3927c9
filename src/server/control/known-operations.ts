import { type FaultDraft, soapOperations } from '../../contract/records/control/fault.ts'
import { findNearest, sayNearest } from '../../contract/records/nearest.ts'
import { fitsPattern } from '../domain/control/request-match.ts'
import { type Finding, finding, invalidInput } from '../domain/errors.ts'
import { isVendorTraffic } from '../../contract/control/vendor-traffic.ts'
import { fits, type KnownPath } from '../http/known-paths.ts'
import { toOperationId } from '../http/openapi/operation.ts'

/**
 * The number or name of an operation that is given so, by the operationId of our descriptions, or by method and path. A
 * name that no request can have is refused: a fault or an expectation of it would be for nothing, without a word.
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
  const nearest = findNearest(
    text,
    [...names.keys()].filter((name) => !/^\d+$/.test(name)),
  )
  const hint = nearest
    ? `the nearest is ${nearest}`
    : `there is ${sayOperations([...new Set(names.values())])}, or METHOD and path`
  throw invalidInput([finding(target, `is no operation; ${hint}`, ours)])
}

const ours = { source: 'our choice: known-operations' } as const

const toOperation = (name: string): number | string => (/^\d+$/.test(name) ? Number(name) : name)

/** Numbers stand in one row: `1 to 41, createServiceToken, ...`. */
function sayOperations(names: readonly string[]): string {
  const numbers = names.map(Number).filter(Number.isInteger)
  const others = names.filter((name) => !/^\d+$/.test(name))
  return [`${Math.min(...numbers)} to ${Math.max(...numbers)}`, ...others].join(', ')
}

/** A path that no operation has: the prefix of a world, too, stands in no journal. */
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

/** As it may have been copied from an address. */
function withoutPrefixes(path: string): string {
  return path.replace(/^\/w\/[^/]*(?=\/)/, '').replace(/^\/support-api\/stg(?=\/)/, '')
}

const SOAP = '/iap/'
const WALLET = '/wallet/'

/** A fault that names its operation as the journal does, and that could strike. */
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

/** A fault that could never strike, or in another dialect than the document's, is a mistake. */
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
  // Any text may stand for a parameter, so the pattern's own is as good as another.
  return fitsPattern(wanted, pattern) || fitsPattern(pattern, wanted)
}
