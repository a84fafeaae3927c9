import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JournalEntry } from '../../schemas/control/journal.ts'
import { cite, wireCodeOf } from '../json-errors.ts'
import { redactBody, redactHeaders, redactText } from './redaction.ts'
import type { RequestNotes } from '../request-notes.ts'
import { readRecord, writeRecord } from './request-record.ts'

/** Longer bodies are kept by their beginning, in characters. */
const LONGEST_BODY = 16_384

/** Keeps the request with its reply: as one text, which is made an entry when somebody reads it. */
export function recordRequest(request: FastifyRequest, reply: FastifyReply, durationMs: number, text?: string): void {
  if (!isVendorTraffic(request.url)) return
  const { notes, body, ports } = request
  const sent = notes.sent ?? body
  const more =
    (sent ?? notes.refusal) === undefined
      ? undefined
      : { sent: Buffer.isBuffer(sent) ? undefined : sent, why: whyOf(notes) }
  ports.journal.recordText(writeRecord(request, reply, durationMs, text, more), drawRequest)
}

function drawRequest(record: string, id: number): JournalEntry {
  const { at, requestId, method, url, status, durationMs, operation, caller, more, reply, ...kept } = readRecord(record)
  const [path = '/', query] = url.split('?', 2)
  return {
    id,
    kind: 'request',
    at: new Date(at).toISOString(),
    requestId,
    method,
    path,
    status,
    durationMs,
    ...(operation !== undefined && { operation }),
    ...(caller !== undefined && { caller }),
    ...(query !== undefined && { query: redactText(`?${query}`).slice(1) }),
    request: { headers: redactHeaders(toHeaders(kept.headers)), ...bodyOf(more.sent) },
    response: { headers: redactHeaders(toReplyHeaders(kept.replyHeaders, reply)), ...bodyOf(reply) },
    ...(more.why && { why: more.why }),
  }
}

function whyOf({ refusal, refusalCode }: RequestNotes): JournalEntry['why'] {
  return (
    refusal && {
      code: refusalCode ?? wireCodeOf(refusal),
      message: cite(refusal.message, refusal.source),
      ...(refusal.source !== undefined && { source: refusal.source }),
      findings: refusal.findings.map(({ code, message, target, source }) => ({
        code,
        message,
        target,
        ...(source !== undefined && { source }),
      })),
    }
  )
}

/** What people do to steer and watch is no traffic of the vendor's: it is neither journaled nor made to fail. */
export function isVendorTraffic(url: string): boolean {
  return !/^\/(_control|_console|health|metrics|docs|openapi)\b/.test(url)
}

/** Headers as node shows them: in lower case, repeated ones joined. */
function toHeaders(sent: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let i = 0; i < sent.length; i += 2) {
    const name = sent[i]!.toLowerCase()
    const given = headers[name]
    headers[name] = given === undefined ? sent[i + 1]! : `${given}${name === 'cookie' ? '; ' : ', '}${sent[i + 1]}`
  }
  return headers
}

/** Fastify counts the bytes of a reply last of all. */
function toReplyHeaders(sent: readonly string[], text: string): Record<string, string> {
  return text === '' ? toHeaders(sent) : { 'content-length': String(Buffer.byteLength(text)), ...toHeaders(sent) }
}

function bodyOf(body: unknown): { body?: unknown } {
  if (body === undefined || body === null || body === '') return {}
  if (typeof body !== 'string') return { body: redactBody(body) }
  const text = body.slice(0, LONGEST_BODY)
  if (body.length <= LONGEST_BODY && /^\s*[[{]/.test(text)) {
    try {
      return { body: redactBody(JSON.parse(text)) }
    } catch {
      // Not JSON after all: shown as the text it is.
    }
  }
  return { body: redactText(text) }
}
