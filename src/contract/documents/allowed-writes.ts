import { findNearest } from '../records/nearest.ts'
import { billingOperations } from './billing/operations.ts'
import { hasDotSegments } from './dot-segments.ts'
import { findOperation, isRead, listWrites } from './find-operation.ts'

/** Operations that may be asked of somebody else's server though they change something there. */
export type AllowedWrites = 'all' | ReadonlySet<string>

export const noWrites: AllowedWrites = new Set()

/** Of `8,9,createSubscription`, or `all`. Throws a RangeError. */
export function readAllowedWrites(given: string): AllowedWrites {
  if (given === 'all') return 'all'
  const known = listWrites()
  const names = given.split(',').map((name) => name.trim())
  for (const name of names) {
    if (known.includes(name)) continue
    const nearest = findNearest(name, known)
    throw new RangeError(
      `${name} is no operation that changes something, such as 8 or createSubscription` +
        (nearest === undefined ? '' : `; did you mean ${nearest}?`),
    )
  }
  return new Set(names)
}

export interface CheckedCall {
  method: string
  path: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body?: string | undefined
}

/** Headers by which frameworks take a GET for another method. */
const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override']
const COMMENT = /<!--[\s\S]*?-->/g
const SOAP_OPERATION = /<(?:[\w.-]+:)?Body(?:\s[^<>]*)?>\s*<(?:[\w.-]+:)?([\w.-]+)/

/** The name of what a call would change though it may not, or nothing where it may be made. */
export function findForbiddenWrite({ method, path, headers, body }: CheckedCall, allowed: AllowedWrites) {
  if (allowed === 'all') return undefined
  const override = OVERRIDES.find((name) => name in headers)
  if (isRead(method)) return override === undefined ? undefined : `${method} with ${override}`
  // What a server makes of `..` may be another operation.
  const { of, operation } = (hasDotSegments(path) ? undefined : findOperation(method, path)) ?? {}
  // Document 3: its two operations read, and other services at that address are not asked.
  if (of === 'billing' && method === 'POST' && isSoapRead(body)) return undefined
  const [address = ''] = path.split('?', 1)
  if (operation === undefined) return `${method} ${address}`
  return allowed.has(String(operation)) ? undefined : `operation ${operation}`
}

function isSoapRead(body = ''): boolean {
  const [, name = ''] = SOAP_OPERATION.exec(body.replace(COMMENT, '')) ?? []
  return Object.hasOwn(billingOperations, name)
}
