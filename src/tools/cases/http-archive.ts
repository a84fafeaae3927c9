import { createParser } from 'eventsource-parser'
import { readBody } from '#contract/bodies.ts'
import { readTyped } from '#contract/charsets.ts'
import { readBoundary } from '#contract/files/form-parts.ts'
import { readFrameData } from '#contract/records/decoded-text.ts'
import {
  type ArchivedEntry,
  DROPPED,
  type HttpArchive,
  readEntry,
  readTarget,
  UnusableEntry,
} from '#contract/files/http-archive.ts'
import { passingCallHeaders, passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import type { CaseStep } from '#contract/files/case.ts'
import { CLOCK_RANGE, isClockTime } from '#contract/records/control/clock.ts'

export interface ArchivedSteps {
  steps: CaseStep[]
  left: Map<string, number>
  unusable: Map<string, number>
}

/** `takes` returns whether a request is meant for the vendor, from its host (without a port), method and path. */
export function toSteps(
  { log: { creator, entries } }: HttpArchive,
  takes: (host: string, method: string, path: string) => boolean,
): ArchivedSteps {
  const isOurs = creator?.name === 'vendor-cloud'
  const found: { at: number; step: CaseStep }[] = []
  const [left, unusable] = [new Map<string, number>(), new Map<string, number>()]
  for (const given of entries) {
    try {
      const { method, url } = readTarget(given)
      const { host, base, path } = readAddress(url)
      if (takes(host, method, path)) found.push(...toEntrySteps(readEntry(given), { base, path, isOurs }))
      else left.set(host, (left.get(host) ?? 0) + 1)
    } catch (error) {
      if (!(error instanceof UnusableEntry)) throw error
      unusable.set(error.message, (unusable.get(error.message) ?? 0) + 1)
    }
  }
  // A frame can be the effect of a request with the same timestamp, so the request comes first.
  const sorted = found.toSorted((a, b) => a.at - b.at || Number('frame' in a.step) - Number('frame' in b.step))
  return { steps: sorted.map(({ step }, i) => ({ ...step, step: i + 1 })), left, unusable }
}

/** An invalid URL has an empty host, so it counts as another host. Only `base` includes the prefix of a world. */
function readAddress(url: string): { host: string; base: string; path: string } {
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? []
  const host = authority.replace(/^.*@/, '').replace(/:\d*$/, '').toLowerCase()
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const [, prefix = '', own = path] = /^(\/w\/[a-z0-9-]{1,64})(\/.*)$/.exec(path) ?? []
  return { host, base: `//${authority}${prefix}`, path: own }
}

interface Address {
  base: string
  path: string
  isOurs: boolean
}

function toEntrySteps(entry: ArchivedEntry, { base, path, isOurs }: Address) {
  const at = Date.parse(entry.startedDateTime)
  const reply = toReply(entry.response, entry.request.method.toUpperCase())
  // The path in a step has no world prefix, so the prefix is also removed from links in the response.
  if (reply.body !== undefined) reply.body = reply.body.replaceAll(`${base}/`, `${base.replace(/\/w\/.*/, '')}/`)
  const messages = readMessages(entry)
  const call = toCall(entry.request, path)
  const id = reply.headers?.['x-request-id']
  // vendor-cloud accepts request IDs from clients, so the replayed response contains the recorded ID.
  if (isOurs && id !== undefined) call.headers['x-request-id'] = id
  const isStream = messages !== undefined && reply.status === 200
  const step: CaseStep = { ...toAbout(at), call, reply: isStream ? { ...reply, body: '' } : reply }
  const [address = ''] = path.split('?', 1)
  const [, subscriptionId = address] = /\/filters\/([^/]+)\/activate$/.exec(address) ?? []
  const frames = (messages ?? []).map(({ time, eventName, eventId, data = '' }) => {
    // HAR stores this time in seconds with decimals, which cannot represent milliseconds exactly.
    const frameAt = Math.max(at, Math.floor(time * 1000 + 0.001))
    const event = eventName || 'message'
    const frame = { subscriptionId, event, ...(eventId && { id: eventId }), data: readFrameData(event, data) }
    return { at: frameAt, step: { ...toAbout(frameAt), frame } }
  })
  return [{ at, step }, ...frames]
}

/** Latest ECMAScript date (ECMA-262, section 21.4.1.1). */
const LAST_DATE = 8.64e15

function toAbout(at: number) {
  if (!isClockTime(at)) throw new UnusableEntry(Math.abs(at) <= LAST_DATE ? `time: ${CLOCK_RANGE}` : 'time: no instant')
  return { step: 1, at: new Date(at).toISOString() }
}

/** Browsers and vendor-cloud list the frames of a stream. Proxies store a stream as text after it ends. */
function readMessages({ startedDateTime, time, response, _eventStreamMessages: listed }: ArchivedEntry) {
  if (listed) return listed
  const { content } = response
  if (!/^text\/event-stream/i.test(content?.mimeType ?? '')) return undefined
  const messages: NonNullable<ArchivedEntry['_eventStreamMessages']> = []
  const end = (Date.parse(startedDateTime) + Math.max(0, time ?? 0)) / 1000
  const { feed } = createParser({
    onEvent: ({ event, id, data }) => messages.push({ time: end, eventName: event, eventId: id, data }),
  })
  feed(`${readContent(content) ?? ''}\n\n`)
  return messages
}

/** `path` must not contain a world prefix. */
function toCall(request: ArchivedEntry['request'], path: string): HttpRequest {
  const headers = toHeaders(request.headers, passingCallHeaders)
  const cookies = (request.cookies ?? []).map(({ name, value = '' }) => `${name}=${value}`).join('; ')
  if (cookies !== '' && headers['cookie'] === undefined) headers['cookie'] = cookies
  const coding = headers['content-encoding']
  const bytes = readPosted(request.postData, String(headers['content-type'] ?? ''))
  const body = bytes && bytes.length > 0 && readBody(bytes, coding === undefined ? undefined : String(coding))
  const call = { method: request.method.toUpperCase(), path, headers, ...(body && { body }) }
  assertSendable(call)
  return call
}

/** Characters that RFC 9110, section 5.6.2 allows in a token. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/

function assertSendable({ method, path, headers }: HttpRequest): void {
  if (!TOKEN.test(method)) throw new UnusableEntry('request.method: an invalid method name')
  if (method === 'CONNECT') throw new UnusableEntry('request.method: CONNECT opens a tunnel')
  if (/[^\x21-\xff]/.test(path)) throw new UnusableEntry('request.url: characters that a URL cannot contain')
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name)) throw new UnusableEntry('request.headers: an invalid header name')
    if (/[^\t\x20-\x7e\x80-\xff]/.test([value].flat().join(''))) {
      throw new UnusableEntry('request.headers: a value with characters that a header cannot contain')
    }
  }
}

function toReply({ status, headers: given, content }: ArchivedEntry['response'], method: string): HttpResponse {
  if (status < 100) return {}
  const { 'content-encoding': _, ...headers } = toHeaders(given, passingReplyHeaders)
  const isEmpty = content?.text === undefined && (content?.size ?? 0) <= 0
  const body = method === 'HEAD' ? undefined : isEmpty ? '' : readContent(content)
  return { status, headers, ...(body !== undefined && { body }) }
}

/** HTTP/2 pseudo-headers are omitted, because they repeat the request line. */
function toHeaders(pairs: ArchivedEntry['request']['headers'], passing: ReadonlySet<string>): HttpRequest['headers'] {
  const headers = new Map<string, string[]>()
  for (const { name: given, value = '' } of pairs ?? []) {
    const name = given.toLowerCase()
    if (name.startsWith(':') || name === 'upgrade' || passing.has(name)) continue
    // Chrome separates the values of a repeated header with LF. Other browsers use CRLF.
    headers.set(name, [...(headers.get(name) ?? []), ...value.split(/\r?\n/)])
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]))
}

function readContent(content: ArchivedEntry['response']['content']): string | undefined {
  const { text, encoding, mimeType = '' } = content ?? {}
  if (text === undefined || !isBase64(encoding, 'response.content')) return text
  return readTyped(fromBase64(text, 'response.content'), mimeType)
}

/** Some tools store only the fields of a form. `contentType` is the value of the request header. */
function readPosted(posted: ArchivedEntry['request']['postData'], contentType: string): Buffer | undefined {
  if (!posted) return undefined
  if (posted.comment === DROPPED) throw new UnusableEntry('request.postData: the body was dropped')
  const { text, encoding, params, mimeType = '' } = posted
  const isCoded = isBase64(encoding, 'request.postData')
  if (text !== undefined && text !== '') return isCoded ? fromBase64(text, 'request.postData') : Buffer.from(text)
  if (!params?.length) return undefined
  const type = mimeType || contentType
  if (/^application\/x-www-form-urlencoded/i.test(type)) {
    const fields = params.map(({ name, value = '' }): [string, string] => [name, value])
    return Buffer.from(new URLSearchParams(fields).toString())
  }
  if (/^multipart\/form-data/i.test(type)) return toForm(params, contentType || mimeType)
  throw new UnusableEntry('request.postData: parameters that are not part of a form')
}

type Params = NonNullable<NonNullable<ArchivedEntry['request']['postData']>['params']>

/** The boundary must be the one in the request's `content-type` header (RFC 7578). */
function toForm(params: Params, contentType: string): Buffer {
  const boundary = readBoundary(contentType)
  if (boundary === undefined) throw new UnusableEntry('request.postData: a form without a boundary')
  const parts = params.flatMap(({ name, value, fileName, contentType: type, encoding }) => {
    // Browsers store the file name, but replace the file's bytes with a placeholder or damaged text.
    if (value === undefined || (fileName !== undefined && /^\(binary\)$|\ufffd/.test(value))) {
      throw new UnusableEntry('request.postData: a form without the content of its file')
    }
    const file = fileName === undefined ? '' : `; filename="${toQuoted(fileName)}"`
    const about = type === undefined ? '' : `Content-Type: ${type.replace(/[\r\n]+/g, ' ')}\r\n`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${toQuoted(name)}"${file}\r\n${about}\r\n`
    const isCoded = isBase64(encoding, 'request.postData.params')
    const bytes = isCoded ? fromBase64(value, 'request.postData.params') : Buffer.from(value)
    return [Buffer.from(head), bytes, Buffer.from('\r\n')]
  })
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

/** In the names of form parts, browsers use these three escapes. */
const quotes: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
const toQuoted = (name: string) => name.replace(/["\r\n]/g, (letter) => quotes[letter]!)

function isBase64(encoding: string | undefined, place: string): boolean {
  if (encoding === undefined || encoding === '') return false
  if (encoding.toLowerCase() === 'base64') return true
  throw new UnusableEntry(`${place}: unknown encoding`)
}

function fromBase64(text: string, place: string): Buffer {
  const [, letters] = /^([\w+/-]*)={0,2}$/.exec(text.replace(/\s+/g, '')) ?? []
  if (letters === undefined || letters.length % 4 === 1) throw new UnusableEntry(`${place}: no base64`)
  return Buffer.from(letters, 'base64')
}
