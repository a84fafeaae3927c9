import { didYouMean } from '../records/nearest.ts'
import { billingOperations } from './billing/operations.ts'
import { hasDotSegments } from './dot-segments.ts'
import { findOperation, isRead, listWrites } from './find-operation.ts'

export type AllowedWrites = 'all' | ReadonlySet<string>

export const noWrites: AllowedWrites = new Set()

/** Parses `all` or a list such as `8,9,createSubscription`. Throws a RangeError for an unknown operation. */
export function readAllowedWrites(given: string): AllowedWrites {
  if (given === 'all') return 'all'
  const known = listWrites()
  const names = given.split(',').map((name) => name.trim())
  for (const name of names) {
    if (known.includes(name)) continue
    throw new RangeError(
      `${name} is not an operation that writes, such as 8 or createSubscription${didYouMean(name, known)}`,
    )
  }
  return new Set(names)
}

interface CheckedCall {
  method: string
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body?: string | undefined
}

/** If one of these headers contains a method, some frameworks ignore the method in the request line. */
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override']
const COMMENT = /<!--[\s\S]*?-->/g
const SOAP_OPERATION = /<(?:[\w.-]+:)?Body(?:\s[^<>]*)?>\s*<(?:[\w.-]+:)?([\w.-]+)/

/** Returns undefined if the request is allowed. */
export function findForbiddenWrite({ method, path, headers, body }: CheckedCall, allowed: AllowedWrites) {
  if (allowed === 'all') return undefined
  const override = OVERRIDES.find((name) => name in headers)
  if (isRead(method)) return override === undefined ? undefined : `${method} with ${override}`
  // If the path contains `..`, a server may resolve it to the path of another operation.
  const { of, operation } = (hasDotSegments(path) ? undefined : findOperation(method, path)) ?? {}
  // Both SOAP operations of document 3 only read. The server may have other SOAP services at the same path.
  if (of === 'billing' && method === 'POST' && isSoapRead(body)) return undefined
  const [address = ''] = path.split('?', 1)
  if (operation === undefined) return `${method} ${address}`
  return allowed.has(String(operation)) ? undefined : `operation ${operation}`
}

function isSoapRead(body = ''): boolean {
  const [, name = ''] = SOAP_OPERATION.exec(body.replace(COMMENT, '')) ?? []
  return Object.hasOwn(billingOperations, name)
}
