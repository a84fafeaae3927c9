import { distance } from 'fastest-levenshtein'
import { paramNamesOf, toBarePath, vendorOperations, type VendorOperation } from '../../calls/operations.ts'
import { type Call, exampleOf, writePath } from '../../calls/call.ts'
import type { Change, Mender } from '../mender.ts'

export const mendAddress: Mender = (_, { call, refusal: { status, code } }) => {
  if (call.operation || !(status === 404 || status === 405) || code === 'Client') return []
  const path = toBarePath(writePath(call))
  return (
    vendorOperations
      .filter(({ soap }) => !soap)
      .map((operation) => ({ operation, far: farFrom(operation, call.method, path) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, 4)
      .filter(({ far }) => far <= path.length / 3)
      .map(({ operation }) => toChange(operation, call, path))
      // An operation with a path value that nobody gave cannot be tried.
      .filter(({ call: { operation, params } }) => paramNamesOf(operation!.path).every((name) => name in params))
  )
}

/** Compares segment by segment; a parameter's segment may hold anything. */
function farFrom(operation: VendorOperation, method: string, path: string): number {
  const [own, asked] = [operation.path.split('/'), path.split('/')]
  if (own.length !== asked.length) return distance(operation.path, path)
  const far = own.map((segment, index) => (segment.startsWith(':') ? 0 : distance(segment, asked[index]!)))
  return far.reduce((sum, each) => sum + each, operation.method === method ? 0 : 0.5)
}

function toChange(operation: VendorOperation, call: Call, path: string): Change {
  const own = operation.path.split('/')
  const asked = path.split('/')
  const named = own.flatMap((segment, index) =>
    segment.startsWith(':')
      ? [[segment.slice(1), own.length === asked.length ? decodeURIComponent(asked[index]!) : '']]
      : [],
  )
  const params = { ...exampleOf(operation).params, ...Object.fromEntries(named.filter(([, value]) => value !== '')) }
  const { method, path: route } = operation
  const changed = { ...call, operation, method, path: route, params }
  return { call: changed, told: `it is ${method} ${route}, operation ${operation.operation}` }
}
