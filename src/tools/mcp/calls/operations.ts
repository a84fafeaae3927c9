import { type BillingOperation, BILLING_PATH, billingOperations } from '#contract/documents/billing/operations.ts'
import { streamOperations } from '#contract/documents/events/streams.ts'
import { subscriptionOperations } from '#contract/documents/events/subscriptions.ts'
import { findOperation, type InterfaceName } from '#contract/documents/find-operation.ts'
import { supportOperations } from '#contract/documents/support/operations.ts'
import { walletOperations } from '#contract/documents/wallet/availability.ts'
import { toOperationId } from '#contract/documents/operation-id.ts'
import type { OperationContract } from '#contract/operation.ts'
import { findNearest, sayNearest } from '#contract/records/nearest.ts'
import { ToolError } from '../errors.ts'
import { decodePercent } from '#contract/records/decoded-text.ts'

export interface VendorOperation {
  /** A number stands in document 1's table; the other documents give names. */
  operation: number | string
  of: InterfaceName
  method: string
  path: string
  /** One of `dealers`, `users`, `guests`, `anonymous`, `tokens`, `anyPage`, `partners` and `sellers`. */
  scope: string
  summary: string
  contract: OperationContract
  /** The body of a SOAP call is an envelope around the operation's inputs. */
  soap?: BillingOperation
}

type Listed = OperationContract & { scope: string; operation?: number | string }

const { stream } = streamOperations
const soapSummaries: Readonly<Record<BillingOperation, string>> = {
  createServiceToken: 'Get the token that getSubscriptionStatus needs (SOAP)',
  getSubscriptionStatus: 'Read how a purchase stands (SOAP)',
}

export const vendorOperations: readonly VendorOperation[] = [
  ...listOf('support', supportOperations),
  ...listOf('events', { ...subscriptionOperations, stream }),
  ...listOf('wallet', walletOperations),
  ...Object.entries(billingOperations).map(
    ([name, { input, output, example, ...more }]): VendorOperation => ({
      operation: name,
      of: 'billing',
      method: 'POST',
      path: BILLING_PATH,
      scope: 'sellers',
      summary: soapSummaries[name as BillingOperation],
      soap: name as BillingOperation,
      contract: { route: `POST ${BILLING_PATH}`, body: input, reply: output, example: { body: example, ...more } },
    }),
  ),
]

function listOf(of: InterfaceName, operations: object): VendorOperation[] {
  return Object.values(operations as Record<string, Listed>).flatMap((contract) => {
    const { route, scope, operation, summary = '' } = contract
    const [method = '', path = ''] = route.split(' ')
    return operation === undefined ? [] : [{ operation, of, method, path, scope, summary, contract }]
  })
}

const byName = new Map(vendorOperations.map((each) => [String(each.operation), each]))
/** Descriptions name an operation that has only a number by its path. */
const byOperationId = new Map(
  vendorOperations.filter(({ soap }) => !soap).map((each) => [toOperationId(each.method, each.path), each]),
)

export function requireOperation(given: number | string): VendorOperation {
  const text = String(given).trim()
  const [method = '', path] = text.split(/\s+/, 2)
  const named = byName.get(text) ?? byOperationId.get(text)
  const found = named ?? (path === undefined ? undefined : findByAddress(method.toUpperCase(), path))
  if (found) return found
  const names = [...byName.keys()].filter((name) => !/^\d+$/.test(name))
  const nearest = findNearest(text, [...names, ...byOperationId.keys()])
  const near = nearest === undefined ? `; there is 1 to 41, ${names.join(', ')}` : `; the nearest is ${nearest}`
  throw new ToolError(`operation ${text.slice(0, 100)} is not known${near}`)
}

export function findNamed(given: number | string | undefined): VendorOperation | undefined {
  return byName.get(String(given))
}

/** Only the body of a SOAP call tells its operation, so an address alone finds none. */
export function findByAddress(method: string, path: string): VendorOperation | undefined {
  return findNamed(findOperation(method, path)?.operation)
}

function paramNamesOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

/** The path may have the prefix of a world or of a document. */
export function readParams({ path }: VendorOperation, actual: string): Record<string, string> {
  const pattern = new RegExp(`${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '([^/]+)')}$`)
  const values = pattern.exec(actual.split('?', 1)[0]!)?.slice(1) ?? []
  return Object.fromEntries(paramNamesOf(path).map((name, index) => [name, decodePercent(values[index] ?? '')]))
}

/** Names the call that gives each value of a path, so that a refusal can say where to get it. */
const givers: Readonly<Record<string, string>> = {
  'id of 5': 'the operation itself answers others',
  'id of 13': 'operation 6 lists the customers',
  'id of 14': 'operation 6 lists the customers',
  'id of 20': 'operation 19 lists the tickets',
  customerId: 'operation 6 lists the customers',
  srid: 'operation 19 lists the tickets',
  deviceId: 'operation 11 answers the serial number of a product',
  subscriptionId: 'createSubscription answers one',
}

/** Every value of the path must be given, and no other. */
export function requireParams(operation: VendorOperation, given: Readonly<Record<string, unknown>> = {}) {
  const names = paramNamesOf(operation.path)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new ToolError(sayUnknown(operation, unknown, names))
  const missing = names.find((name) => (given[name] ?? '') === '')
  if (missing !== undefined) throw new ToolError(sayMissing(operation, missing))
  const values = Object.entries(given).map(([name, value]) => [name, String(value)] as const)
  // A client of HTTP resolves such a segment, however it is encoded, and asks another path.
  const dots = values.find(([, value]) => value === '.' || value === '..')
  if (dots) throw new ToolError(`params.${dots[0]} must not be ${dots[1]}, which would leave ${operation.path}`)
  return Object.fromEntries(values)
}

/** A caller that names a path value of an operation without any usually means its query. */
function sayUnknown({ operation, path, contract }: VendorOperation, given: string, names: readonly string[]): string {
  const start = `params of operation ${operation} has no ${given.slice(0, 100)}`
  if (names.length > 0) return start + sayNearest(given, names)
  const queried = Object.keys((contract.query as { shape?: object } | undefined)?.shape ?? {})
  const near = findNearest(given, queried)
  return `${start}: nothing of its path ${path} is to be filled in${near === undefined ? '' : `; query has ${near}`}`
}

function sayMissing({ operation, contract }: VendorOperation, name: string): string {
  const giver = givers[`${name} of ${operation}`] ?? givers[name]
  const sample = contract.example?.params?.[name]
  const told = [sample === undefined ? '' : `such as ${sample}`, giver ?? ''].filter(Boolean).join('; ')
  return `operation ${operation} needs params.${name}${told === '' ? '' : `: ${told}`}`
}
