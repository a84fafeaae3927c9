import { passingCallHeaders, serverHeaders } from '#contract/files/passing-headers.ts'
import type { JournalEntry } from '#tools/client/types.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import { type Call, readQuery } from './call.ts'
import { findByAddress, findNamed, readParams, type VendorOperation } from './operations.ts'

/** Secrets are redacted, because text that agents read leaves this machine. */
export function readEntry(world: WorldClient, id: number): Promise<JournalEntry> {
  return world.call('getJournalEntry', { params: [id], query: { redacted: true } })
}

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

function readHeaders({ request }: JournalEntry, operation: VendorOperation | undefined) {
  const own = Object.entries(request?.headers ?? {}).filter(
    ([name, value]) =>
      !passingCallHeaders.has(name) &&
      !serverHeaders.has(name) &&
      !/^(?:accept-language|sec-fetch-.*)$/.test(name) &&
      !(name === 'accept' && value === '*/*') &&
      !(operation?.contract.form && name === 'content-type'),
  )
  return Object.fromEntries(own)
}

/** For a SOAP request, the journal contains the inputs instead of the envelope. It does not contain uploaded files. */
function readBody({ request }: JournalEntry, operation: VendorOperation | undefined): unknown {
  const { body, fields } = request ?? {}
  if (operation?.contract.form) return undefined
  if (!operation?.soap || fields === null || typeof fields !== 'object') return body
  const inputs = (fields as Readonly<Record<string, unknown>>)[operation.soap] ?? {}
  return typeof inputs === 'object' ? inputs : {}
}
