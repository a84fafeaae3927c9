import { passingCallHeaders, serverHeaders } from '../../../contract/cases/passing-headers.ts'
import { REDACTED } from '../../../contract/records/secret-names.ts'
import type { JournalEntry } from '../../control-client/types.ts'
import { type Call, readQuery } from './call.ts'
import { findByAddress, findNamed, readParams, type VendorOperation } from './operations.ts'

/** The journal shows no secret, so the caller's own name takes its place. */
export function toCallOf(entry: JournalEntry): Call {
  const { method = 'GET', path = '/' } = entry
  const operation = findNamed(entry.operation) ?? findByAddress(method, path)
  return {
    operation,
    method,
    path: operation?.path ?? path,
    params: operation ? readParams(operation, path) : {},
    query: readQuery(entry.query),
    headers: readHeaders(entry, operation),
    body: readBody(entry, operation),
  }
}

const OF_IDENTITIES = /^(?:vendorus-(?:guid|profid)|partnercode)$/

function readHeaders({ request, caller }: JournalEntry, operation: VendorOperation | undefined) {
  const kept = Object.entries(request?.headers ?? {}).filter(
    ([name, value]) =>
      !passingCallHeaders.has(name) &&
      !serverHeaders.has(name) &&
      !/^(?:accept-language|sec-fetch-.*)$/.test(name) &&
      !(name === 'accept' && value === '*/*') &&
      !(operation?.contract.form && name === 'content-type'),
  )
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      OF_IDENTITIES.test(name) && value === REDACTED && caller !== undefined ? caller : value,
    ]),
  )
}

/** Of a SOAP call only the inputs are known, and files are not kept in the journal. */
function readBody({ request }: JournalEntry, operation: VendorOperation | undefined): unknown {
  const { body, fields } = request ?? {}
  if (operation?.contract.form) return undefined
  if (!operation?.soap || fields === null || typeof fields !== 'object') return body
  const inputs = (fields as Readonly<Record<string, unknown>>)[operation.soap] ?? {}
  return typeof inputs === 'object' ? inputs : {}
}
