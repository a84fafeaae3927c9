import { findNearest, sayNearest } from '#contract/records/nearest.ts'
import { ToolError } from '../errors.ts'
import { paramNamesOf, type VendorOperation } from './operations.ts'

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
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
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
