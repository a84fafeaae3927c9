import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JournalEntry } from '../schemas/journal.ts'
import { cite, wireCodeOf } from './json-errors.ts'
import { redactBody, redactHeaders, redactText } from './redaction.ts'
import { operationOf } from './request-notes.ts'

/** Longer bodies are kept by their beginning, in characters. */
const LONGEST_BODY = 16_384

/** What an entry holds without its bodies, and a finding, in bytes. */
const OVERHEAD = 3000
const FINDING = 500

/** Keeps the request with its reply. Only what is at hand is kept; entries are drawn when somebody reads them. */
export function recordRequest(request: FastifyRequest, reply: FastifyReply, durationMs: number, text?: string): void {
  const { ports, method, url, id: requestId, body } = request
  if (!isVendorTraffic(url)) return
  const { refusal, refusalCode, sent } = request.notes
  const shown = sent ?? body
  const { headers } = request.raw
  const replyHeaders = reply.getHeaders()
  const status = reply.raw.statusCode
  const number = operationOf(request)
  const caller = callerOf(request)
  const now = ports.clock.now()

  // What was parsed of a body takes about three times its bytes.
  const held = OVERHEAD + url.length + 3 * (Number(headers['content-length']) || 0) + (text?.length ?? 0)
  const weight = held + FINDING * (refusal?.findings.length ?? 0)

  const draw = (id: number): JournalEntry => {
    const [path = '/', query] = url.split('?', 2)
    return {
      id,
      kind: 'request',
      at: new Date(now).toISOString(),
      requestId,
      method,
      path,
      status,
      durationMs: Math.round(durationMs * 1000) / 1000,
      ...(number !== undefined && { operation: number }),
      ...(caller !== undefined && { caller }),
      ...(query !== undefined && { query: redactText(`?${query}`).slice(1) }),
      request: { headers: redactHeaders(headers), ...bodyOf(shown) },
      response: { headers: redactHeaders(sentHeaders(replyHeaders, text)), ...bodyOf(text) },
      ...(refusal && {
        why: {
          code: refusalCode ?? wireCodeOf(refusal),
          message: cite(refusal.message, refusal.source),
          ...(refusal.source !== undefined && { source: refusal.source }),
          findings: refusal.findings.map(({ code, message, target, source }) => ({
            code,
            message,
            target,
            ...(source !== undefined && { source }),
          })),
        },
      }),
    }
  }
  ports.journal.record(draw, weight)
}

/** What people do to steer and watch is no traffic of the vendor's: it is neither journaled nor made to fail. */
export function isVendorTraffic(url: string): boolean {
  return !/^\/(_control|_console|health|metrics|docs|openapi)\b/.test(url)
}

function callerOf(request: FastifyRequest): string | undefined {
  return request.notes.caller ?? request.identity?.userId?.replace(/^(profile|guid):/, '')
}

/** Fastify counts the bytes of a reply last of all. */
function sentHeaders(headers: Record<string, unknown>, text: string | undefined): Record<string, unknown> {
  return text === undefined ? headers : { 'content-length': Buffer.byteLength(text), ...headers }
}

function bodyOf(body: unknown): { body?: unknown } {
  if (body === undefined || body === null || body === '' || Buffer.isBuffer(body)) return {}
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
