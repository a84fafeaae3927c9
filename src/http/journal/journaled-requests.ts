import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JournalRecord } from '../../ports.ts'
import type { JournalEntry } from '../../schemas/control/journal.ts'
import { cite, wireCodeOf } from '../json-errors.ts'
import { callerOf, operationOf, type ReadMessage, type RequestNotes } from '../request-notes.ts'
import { isVendorTraffic } from '../addresses.ts'
import { redactBody, redactHeaders, redactPath, redactQuery, redactText, redactUnreadable } from './redaction.ts'

/** Longer bodies are kept by their beginning, in characters. */
const LONGEST_BODY = 16_384
/** What an entry holds beside texts, and a parsed body for each byte of it, in bytes. */
const FIXED_WEIGHT = 1500
const PARSED_WEIGHT = 8

/** As they are when the reply leaves. */
export type ReplyHeaders = Readonly<Record<string, unknown>>

/** A request and its reply as they were on the wire. */
export interface Exchange {
  /** The request's, by `writeHeaders`. */
  headers: string
  replyHeaders: ReplyHeaders
  text: string
}

/** What is kept of a request and its reply until somebody reads it. */
interface KeptRequest extends JournalRecord {
  durationMs: number
  url: string
  headers: string
  sent: unknown
  replyHeaders: ReplyHeaders
  reply: string
  why: JournalEntry['why']
  faults: readonly string[] | undefined
  variation: JournalEntry['variation']
  /** Reads bodies of a form that only the document's room knows. */
  readMessage: ReadMessage | undefined
}

/** Keeps the request with its reply as they are; secrets leave when somebody reads them. */
export function journalRequest(request: FastifyRequest, reply: FastifyReply, exchange: Exchange, durationMs: number) {
  const { headers, replyHeaders, text } = exchange
  if (!isVendorTraffic(request.url)) return
  const { notes, ports, method, url, id: requestId } = request
  const end = url.indexOf('?')
  const sent = keepBody(request)
  const kept: KeptRequest = {
    kind: 'request',
    operation: operationOf(request),
    method,
    path: redactPath(end < 0 ? url : url.slice(0, end)),
    status: notes.unanswered ? undefined : reply.statusCode,
    caller: callerOf(request),
    requestId,
    at: ports.clock.now(),
    weight: FIXED_WEIGHT + url.length + sent.weight + text.length + headers.length,
    durationMs,
    url,
    headers,
    sent: sent.body,
    replyHeaders,
    reply: text,
    why: notes.refusal && whyOf(notes),
    faults: notes.faults,
    variation: notes.variation,
    readMessage: notes.readMessage,
    read: readEntry,
  }
  ports.journal.record(kept)
}

function readEntry(this: KeptRequest, id: number): JournalEntry {
  const { operation, method, path, status, caller, requestId } = this
  const { at, durationMs, url, why, faults, variation, readMessage } = this
  const end = url.indexOf('?')
  return {
    id,
    kind: 'request',
    at: new Date(at).toISOString(),
    requestId,
    method,
    path,
    ...(status !== undefined && { status }),
    durationMs: Math.round(durationMs * 1000) / 1000,
    ...(operation !== undefined && { operation }),
    ...(caller !== undefined && { caller }),
    ...(end >= 0 && end < url.length - 1 && { query: redactQuery(url.slice(end + 1)) }),
    request: { headers: redactHeaders(toHeaders(this.headers)), ...readBody(this.sent, readMessage) },
    ...(status !== undefined && {
      response: { headers: redactHeaders(toReplyHeaders(this)), ...readBody(this.reply, readMessage) },
    }),
    ...(why && { why }),
    ...(faults && { faults: [...faults] }),
    ...(variation && { variation: [...variation] }),
  }
}

/** A long body would hold many times its length once it is parsed: of such a one the beginning is kept. */
function keepBody({ notes, body, headers }: FastifyRequest): { body: unknown; weight: number } {
  const sent = notes.sent ?? body
  if (sent === undefined || sent === null || Buffer.isBuffer(sent)) return { body: undefined, weight: 0 }
  if (typeof sent === 'string') return { body: sent, weight: sent.length }
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (length <= LONGEST_BODY) return { body: sent, weight: length * PARSED_WEIGHT }
  return { body: redactBody(sent, { left: LONGEST_BODY }), weight: LONGEST_BODY * PARSED_WEIGHT }
}

function readBody(body: unknown, readMessage: ReadMessage | undefined): { body?: unknown; fields?: unknown } {
  if (body === undefined || body === null || body === '') return {}
  if (typeof body !== 'string') return { body: redactBody(body, { left: LONGEST_BODY }) }
  const message = readMessage?.(body)
  if (message) return { ...message, body: message.body.slice(0, LONGEST_BODY) }
  if (readMessage) return { body: redactUnreadable(body.slice(0, LONGEST_BODY)) }
  if (!/^\s*[[{]/.test(body)) return { body: redactText(body.slice(0, LONGEST_BODY)) }
  try {
    return { body: redactBody(JSON.parse(body), { left: LONGEST_BODY }) }
  } catch {
    return { body: redactUnreadable(body.slice(0, LONGEST_BODY)) }
  }
}

function whyOf({ refusal, refusalCode }: RequestNotes): JournalEntry['why'] {
  return (
    refusal && {
      code: refusalCode ?? wireCodeOf(refusal),
      message: cite(refusal.message, refusal.source),
      ...(refusal.source !== undefined && { source: refusal.source }),
      findings: [...refusal.findings],
    }
  )
}

/** Headers as node shows them: in lower case, repeated ones joined. */
function toHeaders(sent: string): Record<string, string> {
  return Object.fromEntries(
    [...readHeaders(sent)].map(([name, values]) => [name, values.join(name === 'cookie' ? '; ' : ', ')]),
  )
}

/** Names and values by turns, in one text: ten thousand lists of strings would be the collector's to move. */
export function writeHeaders({ rawHeaders }: IncomingMessage): string {
  return rawHeaders.join('\n')
}

/** Headers by their names in lower case, each with its values as they came. */
export function readHeaders(written: string): Map<string, string[]> {
  const sent = written.split('\n')
  const headers = new Map<string, string[]>()
  // Of no headers the text is one empty name without a value.
  for (let i = 0; i + 1 < sent.length; i += 2) {
    const name = sent[i]!.toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), sent[i + 1]!])
  }
  return headers
}

/** Fastify counts the bytes of a reply last of all. */
function toReplyHeaders({ replyHeaders, reply }: KeptRequest): Record<string, string> {
  const texts = Object.entries(replyHeaders).map(([name, value]): [string, string] => [name, String(value)])
  const length = reply === '' ? {} : { 'content-length': String(Buffer.byteLength(reply)) }
  return { ...length, ...Object.fromEntries(texts) }
}
