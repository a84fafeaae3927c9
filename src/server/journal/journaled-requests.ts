import type { FastifyRequest } from 'fastify'
import type { HttpExchange, HttpHeaders } from '#contract/exchange.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import { cite, wireCodeOf } from '../http/json-errors.ts'
import { callerOf, operationOf, type RequestNotes } from '../http/request-notes.ts'
import type { CapturedExchange } from '../ports/exchange.ts'
import type { JournalRecord } from '../ports/journal.ts'
import { keepExchange, readExchange } from './exchange.ts'
import { findIgnored } from './ignored-names.ts'
import { cutBody, LONGEST_BODY, readBody } from './journaled-bodies.ts'

/** An entry and a finding weigh this much in bytes, beside their texts. */
const FIXED_WEIGHT = 1500
const FINDING_WEIGHT = 200

interface JournaledRequest extends JournalRecord {
  captured: CapturedExchange
  sent: string
  durationMs: number
  why: JournalEntry['why']
  faults: readonly string[] | undefined
  variation: JournalEntry['variation']
  tookOver: boolean
}

/**
 * The exchange is kept as it is, which is cheap; the entry is made when somebody reads it. Gives the entry's id.
 */
export function journalRequest(
  request: FastifyRequest,
  captured: CapturedExchange,
  durationMs: number,
): number | undefined {
  if (!isVendorTraffic(request.url)) return undefined
  const { notes, ports } = request
  const kept = keepRequest(request, captured, durationMs)
  const { journaled } = notes
  if (!journaled) return ports.journal.record(kept)
  const { id, record } = journaled
  ports.journal.complete(id, record, { ...kept, at: record.at })
  return id
}

/** A request whose reply is held up is seen at once, even when its client leaves before the reply. */
export function journalArrival(request: FastifyRequest): void {
  const { notes, ports, url } = request
  if (notes.journaled || !isVendorTraffic(url)) return
  const record = { ...keepRequest(request, keepExchange(request), 0), waits: true }
  notes.journaled = { id: ports.journal.record(record), record }
}

function keepRequest(request: FastifyRequest, captured: CapturedExchange, durationMs: number): JournaledRequest {
  const { notes, ports } = request
  const { requestId, method, url, headers, status, text } = captured
  const end = url.indexOf('?')
  const sent = keepBody(request)
  const why = whyOf(notes, ports.world.profile?.profile)
  return {
    kind: 'request',
    operation: operationOf(request),
    method,
    path: end < 0 ? url : url.slice(0, end),
    status,
    caller: callerOf(request),
    requestId,
    traceId: notes.traceId,
    at: ports.clock.now(),
    weight: FIXED_WEIGHT + bytesOf(url) + bytesOf(headers) + bytesOf(sent) + bytesOf(text) + weightOf(why),
    captured,
    sent,
    durationMs,
    why,
    faults: notes.faults,
    variation: notes.variation,
    tookOver: notes.tookOver,
    read: readEntry,
    exchange: readWhole,
  }
}

function readEntry(this: JournaledRequest, id: number, only?: 'request' | 'head'): JournalEntry {
  const { captured, operation, path, caller, traceId, at, durationMs, why, faults, variation, tookOver } = this
  const { requestId, method, url, status, text, aborted, readMessage } = captured
  const end = url.indexOf('?')
  const isWhole = status !== undefined && only === undefined
  const { call, reply } = readExchange(captured, undefined)
  const entry: JournalEntry = {
    id,
    kind: 'request',
    at: new Date(at).toISOString(),
    requestId,
    method,
    path,
    ...(status !== undefined && { status }),
    ...(aborted && { aborted }),
    durationMs: Math.round(durationMs * 1000) / 1000,
    ...(operation !== undefined && { operation }),
    ...(caller !== undefined && { caller }),
    ...(traceId !== undefined && { traceId }),
    ...(end >= 0 && end < url.length - 1 && { query: url.slice(end + 1) }),
    request: {
      headers: toTexts(call.headers),
      ...(only !== 'head' && readBody(this.sent, readMessage)),
    },
    ...(isWhole && {
      response: { headers: toTexts(reply.headers), ...readBody(text, readMessage) },
    }),
    ...(why && { why }),
    ...(faults && { faults: [...faults] }),
    ...(variation && { variation: [...variation] }),
    ...(tookOver && { tookOver }),
  }
  const ignored = only === undefined ? findIgnored(entry) : undefined
  return ignored ? { ...entry, ignored } : entry
}

function readWhole(this: JournaledRequest): HttpExchange {
  const { call, reply } = readExchange(this.captured, this.sent === '' ? undefined : this.sent)
  const { prefix: _, ...own } = call
  return { call: own, reply }
}

/**
 * A parsed body takes up to thirty times the memory of its text. The beginning of a long one is copied, since a piece
 * of a string holds on to the whole.
 */
function keepBody({ notes: { sent, sentText } }: FastifyRequest): string {
  if (sent === undefined || sent === null) return ''
  if (typeof sent !== 'string') {
    const isShort = sentText !== undefined && sentText.length <= LONGEST_BODY
    return isShort ? sentText : JSON.stringify(cutBody(sent, { left: LONGEST_BODY }))
  }
  // A message that is no JSON is kept whole; its document bounds its size.
  if (sentText === undefined || sent.length <= LONGEST_BODY) return sent
  return Buffer.from(sent.slice(0, LONGEST_BODY)).toString()
}

const WIDE = /[^\0-\xff]/

/** V8 keeps one byte a character, and two as soon as one character needs them. */
function bytesOf(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length
}

function weightOf(why: JournalEntry['why']): number {
  if (!why) return 0
  return why.findings.reduce(
    (sum, { message, target }) => sum + FINDING_WEIGHT + bytesOf(message) + bytesOf(target),
    bytesOf(why.message),
  )
}

function whyOf({ refusal, refusalCode }: RequestNotes, profile: string | undefined): JournalEntry['why'] {
  if (!refusal) return undefined
  return {
    code: refusalCode ?? wireCodeOf(refusal),
    message: cite(refusal.message, refusal.source),
    ...(refusal.source !== undefined && { source: refusal.source }),
    ...(profile !== undefined && { profile }),
    findings: [...refusal.findings],
  }
}

/** Node shows headers in lower case and joins repeated ones. */
function toTexts(headers: HttpHeaders = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(name === 'cookie' ? '; ' : ', ')]),
  )
}
