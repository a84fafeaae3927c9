import { passingCallHeaders, passingReplyHeaders } from '../../../contract/cases/passing-headers.ts'
import type { ArchivedRequest, ArchivedResponse } from '../../../contract/cases/http-archive.ts'
import { UnusableEntry } from '../../../contract/cases/readable-entry.ts'
import type { CaseBody, CaseCall, CaseReply } from '../../../contract/records/control/case.ts'
import { readContent, readPosted } from './archived-body.ts'

export type ToCaseBody = (bytes: Buffer, coding: string | undefined) => CaseBody

/** `path` has no world's prefix. */
export function toCall(request: ArchivedRequest, path: string, toCaseBody: ToCaseBody): CaseCall {
  const headers = toHeaders(request.headers, passingCallHeaders)
  const cookies = (request.cookies ?? []).map(({ name, value = '' }) => `${name}=${value}`).join('; ')
  if (cookies !== '' && headers['cookie'] === undefined) headers['cookie'] = cookies
  const coding = headers['content-encoding']
  const bytes = readPosted(request.postData, String(headers['content-type'] ?? ''))
  const body = bytes && bytes.length > 0 && toCaseBody(bytes, coding === undefined ? undefined : String(coding))
  const call = { method: request.method.toUpperCase(), path, headers, ...(body && { body }) }
  assertSendable(call)
  return call
}

/** RFC 9110, section 5.6.2 allows these letters in a token. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

/** The case is repeated by a client that refuses to send anything else. */
function assertSendable({ method, path, headers }: CaseCall): void {
  if (!TOKEN.test(method)) throw new UnusableEntry('request.method: no token')
  if (method === 'CONNECT') throw new UnusableEntry('request.method: CONNECT opens a tunnel')
  if (/[^\x21-\xff]/.test(path)) throw new UnusableEntry('request.url: letters that no address has')
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) throw new UnusableEntry('request.headers: a name that is no token')
    if (/[^\t\x20-\x7e\x80-\xff]/.test([value].flat().join(''))) {
      throw new UnusableEntry('request.headers: a value with letters that no header has')
    }
  }
}

export function toReply({ status, headers: given, content }: ArchivedResponse, method: string): CaseReply {
  if (status < 100) return {}
  const { 'content-encoding': _, ...headers } = toHeaders(given, passingReplyHeaders)
  const isEmpty = content?.text === undefined && (content?.size ?? 0) <= 0
  const body = method === 'HEAD' ? undefined : isEmpty ? '' : readContent(content)
  return { status, headers, ...(body !== undefined && { body }) }
}

/** HTTP/2's pseudo-headers stand for the first line, so they are left out. */
function toHeaders(pairs: ArchivedRequest['headers'], passing: ReadonlySet<string>): CaseCall['headers'] {
  const headers = new Map<string, string[]>()
  for (const { name: given, value = '' } of pairs ?? []) {
    const name = given.toLowerCase()
    if (name.startsWith(':') || name === 'upgrade' || passing.has(name)) continue
    // Chrome joins the values of one name by line feeds, other browsers by CRLF.
    headers.set(name, [...(headers.get(name) ?? []), ...value.split(/\r?\n/)])
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}
