import { passingCallHeaders, passingReplyHeaders } from '../../../contract/cases/passing-headers.ts'
import type { ArchivedRequest, ArchivedResponse } from '../../../contract/cases/http-archive.ts'
import type { CaseBody, CaseCall, CaseReply } from '../../../contract/records/control/case.ts'

export type ToCaseBody = (bytes: Buffer, coding: string | undefined) => CaseBody

/** `path` is that of its address, without the world's prefix. */
export function toCall(request: ArchivedRequest, path: string, toCaseBody: ToCaseBody): CaseCall {
  const headers = toHeaders(request.headers, passingCallHeaders)
  const cookies = (request.cookies ?? []).map(({ name, value = '' }) => `${name}=${value}`).join('; ')
  if (cookies !== '' && headers['cookie'] === undefined) headers['cookie'] = cookies
  const coding = headers['content-encoding']
  const bytes = readPosted(request.postData)
  const body = bytes && bytes.length > 0 && toCaseBody(bytes, coding === undefined ? undefined : String(coding))
  return { method: request.method.toUpperCase(), path, headers, ...(body && { body }) }
}

export function toReply({ status, headers: given, content }: ArchivedResponse, method: string): CaseReply {
  if (status < 100) return {}
  const { 'content-encoding': _, ...headers } = toHeaders(given, passingReplyHeaders)
  const isEmpty = content?.text === undefined && (content?.size ?? 0) <= 0
  const body = method === 'HEAD' ? undefined : isEmpty ? '' : readContent(content)
  return { status, headers, ...(body !== undefined && { body }) }
}

/** Nothing for what is no text. */
export function readContent(content: ArchivedResponse['content']): string | undefined {
  const { text, encoding, mimeType = '' } = content ?? {}
  if (text === undefined || encoding !== 'base64') return text
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(mimeType) ?? []
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}

/** Some tools tell a form by its fields alone. */
function readPosted(posted: ArchivedRequest['postData']): Buffer | undefined {
  if (!posted) return undefined
  const { text, encoding, params, mimeType = '' } = posted
  if (text !== undefined && text !== '') return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')
  if (!params?.length || !mimeType.startsWith('application/x-www-form-urlencoded')) return undefined
  const fields = params.map(({ name, value = '' }): [string, string] => [name, value])
  return Buffer.from(new URLSearchParams(fields).toString())
}

/** By their names in lower case, without those of HTTP/2 that stand for the first line. */
function toHeaders(pairs: ArchivedRequest['headers'], passing: ReadonlySet<string>): CaseCall['headers'] {
  const headers = new Map<string, string[]>()
  for (const { name: given, value = '' } of pairs ?? []) {
    const name = given.toLowerCase()
    if (name.startsWith(':') || passing.has(name)) continue
    // Chrome joins the values of one name by line feeds.
    headers.set(name, [...(headers.get(name) ?? []), ...value.split('\n')])
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}
