import { type Finding, finding, invalidInput } from '../domain/errors.ts'
import { isVendorTraffic } from '../http/addresses.ts'
import type { KnownPath } from '../http/known-paths.ts'
import { soapOperations } from '../schemas/control/fault.ts'
import { sayNearest } from '../schemas/nearest.ts'

type Operation = number | string | undefined

/** A name that no request can have is mistyped: what is asked of it would hold without a word. */
export function judgeOperation(operation: Operation, target: string, known: readonly KnownPath[]): Finding[] {
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
