import { BASE_PATH } from './base-path.ts'
import { BILLING_PATH, billingOperations } from './billing/operations.ts'
import { streamOperations } from './events/streams.ts'
import { subscriptionOperations } from './events/subscriptions.ts'
import { supportOperations } from './support/operations.ts'
import { walletOperations } from './wallet/availability.ts'

export const interfaceNames = ['support', 'events', 'wallet', 'billing'] as const
export type InterfaceName = (typeof interfaceNames)[number]

interface FoundOperation {
  of: InterfaceName
  /** Absent if the path does not support the method. A SOAP call can be identified only by its body. */
  operation?: number | string
  route?: string
}

interface Route {
  of: InterfaceName
  method: string
  path: RegExp
  route: string
  operation?: number | string | undefined
}

type Listed = Readonly<Record<string, { route: string; operation?: number | string; dialects?: readonly string[] }>>

function listRoutes(of: InterfaceName, operations: Listed): Route[] {
  return Object.values(operations).flatMap(({ route, operation, dialects = [] }) => {
    const [method = '', path = ''] = route.split(' ')
    return ['', ...dialects].map((prefix) => ({ of, method, path: toPattern(prefix + path), route, operation }))
  })
}

function toPattern(path: string): RegExp {
  return new RegExp(`^(?:/w/[^/]+)?(?:${BASE_PATH})?${path.replace(/:\w+/g, '[^/]+')}$`)
}

const routes: readonly Route[] = [
  ...listRoutes('support', supportOperations),
  ...listRoutes('events', { ...subscriptionOperations, ...streamOperations }),
  ...listRoutes('wallet', walletOperations),
  { of: 'billing', method: 'POST', path: toPattern(BILLING_PATH), route: `POST ${BILLING_PATH}` },
]

export function findOperation(method: string, address: string): FoundOperation | undefined {
  const [path = ''] = address.split('?', 1)
  const found = routes.filter((route) => route.path.test(path))
  const [first] = found
  if (!first) return undefined
  const { operation, route } = found.find((each) => each.method === (method === 'HEAD' ? 'GET' : method)) ?? {}
  return { of: first.of, ...(operation !== undefined && { operation }), ...(route !== undefined && { route }) }
}

const soapCall = new RegExp(`<(?:[\\w.-]+:)?(${Object.keys(billingOperations).join('|')})[\\s/>]`)

/** Like `findOperation`, but also reads the body to identify the operation of a SOAP call. */
export function findCalledOperation(method: string, address: string, body?: string): FoundOperation | undefined {
  const found = findOperation(method, address)
  const [, operation] = (found?.of === 'billing' && body !== undefined && soapCall.exec(body)) || []
  return found && operation !== undefined ? { ...found, operation } : found
}

export function listWrites(): string[] {
  return routes.flatMap(({ method, operation }) =>
    operation === undefined || isRead(method) ? [] : [String(operation)],
  )
}

/** Safe methods in RFC 9110, section 9.2.1, except TRACE, which no operation supports. */
export function isRead(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}
