import { passingCallHeaders, serverHeaders } from '#contract/files/passing-headers.ts'
import { knownFixtures } from '#contract/records/known-fixtures.ts'
import { Redactor } from '#contract/redaction.ts'
import type { JournalEntry } from '#tools/client/types.ts'
import { type Call, readQuery } from './call.ts'
import { findByAddress, findNamed, readParams, type VendorOperation } from './operations.ts'

const published = new Set<string>(Object.values(knownFixtures).flat())

/** What an agent reads leaves the machine, so values under secret names are replaced. */
export function redactEntry(entry: JournalEntry): JournalEntry {
  const known = { sha256: (text: string) => text, isPublished: (text: string) => published.has(text) }
  const redactor = new Redactor(known, 'named')
  const hide = <M extends { body?: unknown } | undefined>(message: M): M =>
    typeof message?.body === 'string' ? { ...message, body: redactor.hideBody(message.body) } : message
  const { query, request, response, ...rest } = redactor.hideValue({ ...entry, query: `?${entry.query ?? ''}` })
  return {
    ...rest,
    ...(entry.query !== undefined && { query: query.slice(1) }),
    ...(request && { request: hide(request) }),
    ...(response && { response: hide(response) }),
  }
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
  const kept = Object.entries(request?.headers ?? {}).filter(
    ([name, value]) =>
      !passingCallHeaders.has(name) &&
      !serverHeaders.has(name) &&
      !/^(?:accept-language|sec-fetch-.*)$/.test(name) &&
      !(name === 'accept' && value === '*/*') &&
      !(operation?.contract.form && name === 'content-type'),
  )
  return Object.fromEntries(kept)
}

/** Of a SOAP call only the inputs are known, and files are not kept in the journal. */
function readBody({ request }: JournalEntry, operation: VendorOperation | undefined): unknown {
  const { body, fields } = request ?? {}
  if (operation?.contract.form) return undefined
  if (!operation?.soap || fields === null || typeof fields !== 'object') return body
  const inputs = (fields as Readonly<Record<string, unknown>>)[operation.soap] ?? {}
  return typeof inputs === 'object' ? inputs : {}
}
