import { type BillingOperation, BILLING_PATH, billingOperations } from '#contract/documents/billing/operations.ts'
import { streamOperations } from '#contract/documents/events/streams.ts'
import { subscriptionOperations } from '#contract/documents/events/subscriptions.ts'
import { findOperation, type InterfaceName } from '#contract/documents/find-operation.ts'
import { supportOperations } from '#contract/documents/support/operations.ts'
import { walletOperations } from '#contract/documents/wallet/availability.ts'
import { toOperationId } from '#contract/documents/operation-id.ts'
import type { OperationContract } from '#contract/operation.ts'
import { findNearest, suggestNearest } from '#contract/records/nearest.ts'
import { ToolError } from '../errors.ts'
import { decodePercent } from '#contract/records/decoded-text.ts'

export interface VendorOperation {
  /** A number in document 1, a name in the other documents. */
  operation: number | string
  of: InterfaceName
  method: string
  path: string
  /** One of `dealers`, `users`, `guests`, `anonymous`, `tokens`, `anyPage`, `partners` and `sellers`. */
  scope: string
  summary: string
  contract: OperationContract
  /** Set for SOAP operations. Their body is an envelope with the inputs. */
  soap?: BillingOperation
}

type Listed = OperationContract & { scope: string; operation?: number | string }

const { stream } = streamOperations
const soapSummaries: Readonly<Record<BillingOperation, string>> = {
  createServiceToken: 'Get the token that getSubscriptionStatus needs (SOAP)',
  getSubscriptionStatus: 'Get the status of a purchase (SOAP)',
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
/** In OpenAPI, an operation without a name is identified by its method and path. */
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
  const similar = findSimilar(text.slice(0, 100))
  const near =
    nearest !== undefined
      ? `did you mean ${nearest}?`
      : similar.length > 0
        ? `the nearest: ${similar.map(({ operation, summary }) => `${operation} (${summary})`).join(', ')}. ${ALL}`
        : `use 1 to 41, ${names.join(', ')}. ${ALL}`
  throw new ToolError(`unknown operation ${text.slice(0, 100)}; ${near}`)
}

const ALL = 'The resource vendor-cloud://operations describes them all'

/** Maximum number of suggestions. A word that more operations have, such as `list`, does not identify one. */
const MOST_SIMILAR = 5

/** Returns the operations whose path and summary contain the most words of the text. */
function findSimilar(text: string): readonly VendorOperation[] {
  const squeeze = (part: string) => part.toLowerCase().replace(/[^a-z0-9]/g, '')
  const words = (text.match(/[A-Z]?[a-z]{2,}|[A-Z]{3,}/g) ?? []).map(squeeze)
  const scores = vendorOperations.map((each) => {
    const described = squeeze(`${each.path} ${each.summary}`)
    return words.filter((word) => described.includes(word)).length
  })
  const best = Math.max(1, ...scores)
  const similar = vendorOperations.filter((_, index) => scores[index] === best)
  return similar.length <= MOST_SIMILAR ? similar : []
}

export function findNamed(given: number | string | undefined): VendorOperation | undefined {
  return byName.get(String(given))
}

/** Never returns a SOAP operation, because all of them share one path. */
export function findByAddress(method: string, path: string): VendorOperation | undefined {
  return findNamed(findOperation(method, path)?.operation)
}

function paramNamesOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

/** The path may start with the prefix of a world or of a document. */
export function readParams({ path }: VendorOperation, actual: string): Record<string, string> {
  const pattern = new RegExp(`${path.replace(/[.]/g, '\\.').replace(/:\w+/g, '([^/]+)')}$`)
  const values = pattern.exec(actual.split('?', 1)[0]!)?.slice(1) ?? []
  return Object.fromEntries(paramNamesOf(path).map((name, index) => [name, decodePercent(values[index] ?? '')]))
}

/** Describes where a client gets the values for a path. Used in error messages. */
const sources: Readonly<Record<string, string>> = {
  'id of 5': 'the operation returns others',
  'id of 13': 'operation 6 lists the customers',
  'id of 14': 'operation 6 lists the customers',
  'id of 20': 'operation 19 lists the tickets',
  customerId: 'operation 6 lists the customers',
  srid: 'operation 19 lists the tickets',
  deviceId: 'operation 11 returns the serial number of a product',
  subscriptionId: 'createSubscription returns one',
}

export function requireParams(operation: VendorOperation, given: Readonly<Record<string, unknown>> = {}) {
  const names = paramNamesOf(operation.path)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new ToolError(describeUnknown(operation, unknown, names))
  const missing = names.find((name) => (given[name] ?? '') === '')
  if (missing !== undefined) throw new ToolError(describeMissing(operation, missing))
  const values = Object.entries(given).map(([name, value]) => [name, String(value)] as const)
  // HTTP clients resolve such a segment even if it is encoded, and would request another path.
  const dots = values.find(([, value]) => value === '.' || value === '..')
  if (dots)
    throw new ToolError(`params.${dots[0]} must not be ${dots[1]}, which is a different path than ${operation.path}`)
  return Object.fromEntries(values)
}

/** If the path has no parameters, the caller probably meant a query parameter. */
function describeUnknown(
  { operation, path, contract }: VendorOperation,
  given: string,
  names: readonly string[],
): string {
  const start = `operation ${operation} has no params.${given.slice(0, 100)}`
  if (names.length > 0) return start + suggestNearest(given, names)
  const queried = Object.keys((contract.query as { shape?: object } | undefined)?.shape ?? {})
  const near = findNearest(given, queried)
  return `${start}: its path ${path} has no parameters${near === undefined ? '' : `; use query.${near}`}`
}

/** Only for a call without `body`. An empty object or a string is sent unchanged. */
export function requireInputs({ operation, contract }: VendorOperation): never {
  const { body, needs } = contract.example ?? {}
  const names = Object.keys(Object(body)).map((name) => `body.${name}`)
  const hint = needs ?? `such as ${Object.values(Object(body)).join()}`
  throw new ToolError(`operation ${operation} needs ${names.join(' and ')}: ${hint}`)
}

function describeMissing({ operation, contract }: VendorOperation, name: string): string {
  const where = sources[`${name} of ${operation}`] ?? sources[name]
  const sample = contract.example?.params?.[name]
  const hints = [sample === undefined ? '' : `such as ${sample}`, where ?? ''].filter(Boolean).join('; ')
  return `operation ${operation} needs params.${name}${hints === '' ? '' : `: ${hints}`}`
}
