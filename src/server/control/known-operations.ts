import { type FaultDraft, soapOperations } from '../../contract/records/control/fault.ts'
import { sayNearest } from '../../contract/records/nearest.ts'
import { fitsPattern } from '../domain/control/request-match.ts'
import { type Finding, finding, invalidInput } from '../domain/errors.ts'
import { isVendorTraffic } from '../../contract/control/vendor-traffic.ts'
import type { KnownPath } from '../http/known-paths.ts'

type Operation = number | string | undefined

/** A name that no request can have is mistyped: what is asked of it would hold without a word. */
function judgeOperation(operation: Operation, target: string, known: readonly KnownPath[]): Finding[] {
  if (operation === undefined) return []
  const vendor = known.filter(({ pattern }) => isVendorTraffic(pattern))
  const names = [...new Set([...soapOperations, ...vendor.flatMap((each) => each.operations)])]
  const name = String(operation)
  return names.includes(name) ? [] : [finding(target, `is no operation${sayNearest(name, names)}`)]
}

export function assertOperation(operation: Operation, target: string, known: readonly KnownPath[]): void {
  const findings = judgeOperation(operation, target, known)
  if (findings.length > 0) throw invalidInput(findings)
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
  return [finding(target, `is no path of the documents${nearest}`)]
}

/** As it may have been copied from an address. */
function withoutPrefixes(path: string): string {
  return path.replace(/^\/w\/[^/]*(?=\/)/, '').replace(/^\/support-api\/stg(?=\/)/, '')
}

const SOAP = '/iap/'
const WALLET = '/wallet/'

/** A fault that could never strike, or in another dialect than the document's, is a mistake. */
export function assertReachable({ match, respond }: FaultDraft, known: readonly KnownPath[]): void {
  const vendor = known.filter(({ pattern }) => isVendorTraffic(pattern))
  const { operation, path, soapOperation, method } = match
  const findings = judgeOperation(operation, 'body.match.operation', known)
  const refuse = (target: string, rule: string) => findings.push(finding(target, rule))

  findings.push(...judgePath(path, 'body.match.path', known))
  const onPath = vendor.filter(({ pattern }) => path === undefined || couldFit(path, pattern))
  if (findings.length > 0) throw invalidInput(findings)

  const wanted = soapOperation ?? (operation === undefined ? undefined : String(operation))
  const isSoap = wanted !== undefined && (soapOperations as readonly string[]).includes(wanted)
  const candidates = onPath.filter(
    ({ pattern, operations: own, methods }) =>
      (wanted === undefined || (isSoap ? pattern.startsWith(SOAP) : own.includes(wanted))) &&
      (method === undefined || methods.has(method)),
  )
  const isAnother = soapOperation !== undefined && operation !== undefined && operation !== soapOperation
  if (isAnother || candidates.length === 0) refuse('body.match', 'fits no request: its parts contradict each other')
  const fitsAll = (prefix: string) => candidates.every(({ pattern }) => pattern.startsWith(prefix))
  if (respond && 'fault' in respond && !fitsAll(SOAP)) {
    refuse('body.respond', 'is the dialect of SOAP alone; the nearest for other requests is {status}')
  }
  if (respond && 'resultCode' in respond && !fitsAll(WALLET)) {
    refuse('body.respond', 'is the dialect of the wallet alone; the nearest for other requests is {status}')
  }
  if (findings.length > 0) throw invalidInput(findings)
}

function couldFit(wanted: string, route: string): boolean {
  const pattern = route.replace(/:[^/]+/g, '*')
  if (!wanted.includes('*')) return fitsPattern(pattern, wanted)
  // Any text may stand for a parameter, so the pattern's own is as good as another.
  return fitsPattern(wanted, pattern) || fitsPattern(pattern, wanted)
}
