import type { FastifyReply, FastifyRequest } from 'fastify'
import { cutBody } from '#contract/cut-body.ts'
import type { HttpExchange, HttpHeaders } from '#contract/exchange.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import { wireCodeOf } from '../http/json-errors.ts'
import type { CallerType } from '#contract/records/control/request-match.ts'
import { callerOf, callerTypeOf, operationOf, type RequestContext } from '../http/request-context.ts'
import type { CapturedExchange, ReadMessage } from '../ports/exchange.ts'
import type { JournalRecord } from '../ports/journal.ts'
import { ReceivedExchange, readExchange } from './exchange.ts'
import { findIgnored } from './ignored-names.ts'

/** Maximum number of characters of a body that the journal stores, which limits its memory. */
const LONGEST_BODY = 16_384

/** Approximate size in bytes of an entry and of a finding, without their strings. */
const FIXED_WEIGHT = 1500
const FINDING_WEIGHT = 200

/** Stores the request as received, which is fast, and creates the journal entry when it is read. */
class JournaledRequest extends ReceivedExchange implements JournalRecord {
  readonly kind = 'request'
  readonly at: number
  readonly weight: number
  readonly operation: number | string | undefined
  readonly caller: string | undefined
  readonly callerType: CallerType
  readonly traceId: string | undefined
  readonly waits: boolean
  readonly #sent: string
  /** Microseconds until the response was ready. */
  readonly #duration: number
  readonly #why: JournalEntry['why']
  readonly #faults: readonly string[] | undefined
  readonly #isProcessed: boolean
  readonly #variation: JournalEntry['variation']
  readonly #tookOver: boolean

  constructor(request: FastifyRequest, { reply, text, durationMs = 0 }: Replied = {}) {
    super(request, reply, text)
    const { context, ports } = request
    this.at = context.arrival?.at ?? ports.clock.now()
    this.operation = operationOf(request)
    this.caller = callerOf(request)
    this.callerType = callerTypeOf(request)
    this.traceId = context.traceId
    this.waits = reply === undefined
    this.#sent = storeBody(request)
    this.#duration = Math.round(durationMs * 1000)
    this.#why = whyOf(context, ports.world.profile?.profile)
    this.#faults = context.faults
    this.#isProcessed = context.isProcessed
    this.#variation = context.variation
    this.#tookOver = context.tookOver
    const texts = bytesOf(this.#sent) + bytesOf(this.text)
    this.weight = FIXED_WEIGHT + this.url.length + this.headers.length + texts + weightOf(this.#why)
  }

  get path(): string {
    const end = this.url.indexOf('?')
    return end < 0 ? this.url : this.url.slice(0, end)
  }

  read(id: number, only?: 'request' | 'head'): JournalEntry {
    const { requestId, method, path, url, status, text, at, aborted, operation, caller, traceId, readMessage } = this
    const isComplete = status !== undefined && only === undefined
    const query = url.slice(path.length + 1)
    const { call, reply } = readExchange(this, undefined)
    const entry: JournalEntry = {
      id,
      kind: 'request',
      at: new Date(at).toISOString(),
      requestId,
      method,
      path,
      ...(status !== undefined && { status }),
      ...(aborted && { aborted }),
      durationMs: this.#duration / 1000,
      ...(operation !== undefined && { operation }),
      ...(caller !== undefined && { caller }),
      ...(traceId !== undefined && { traceId }),
      ...(query !== '' && { query }),
      request: {
        headers: toTexts(call.headers),
        ...(only !== 'head' && readBody(this.#sent, readMessage)),
      },
      ...(isComplete && {
        response: { headers: toTexts(reply.headers), ...readBody(text, readMessage) },
      }),
      ...(this.#why && { why: this.#why }),
      ...(this.#faults && { faults: [...this.#faults] }),
      ...(this.#isProcessed && { processed: true }),
      ...(this.#variation && { variation: [...this.#variation] }),
      ...(this.#tookOver && { tookOver: true }),
    }
    const ignored = only === undefined ? findIgnored(entry) : undefined
    return ignored ? { ...entry, ignored } : entry
  }

  exchange(): HttpExchange {
    const { call, reply } = readExchange(this, this.#sent === '' ? undefined : this.#sent)
    const { prefix: _, ...own } = call
    return { call: own, reply }
  }
}

interface Replied {
  reply?: FastifyReply
  text?: string
  durationMs?: number
}

export function journalRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  durationMs: number,
): CapturedExchange {
  const { context, ports } = request
  const record = new JournaledRequest(request, { reply, text, durationMs })
  if (context.arrival) ports.journal.complete(context.journalId!, context.arrival, record)
  else context.journalId = ports.journal.record(record)
  return record
}

/** Makes a delayed request visible in the journal immediately, even if its client disconnects before the response. */
export function journalArrival(request: FastifyRequest): void {
  const { context, ports, url } = request
  if (context.arrival || !isVendorTraffic(url)) return
  context.arrival = new JournaledRequest(request)
  context.journalId = ports.journal.record(context.arrival)
}

function readBody(text: string, readMessage: ReadMessage | undefined): { body?: unknown; fields?: unknown } {
  if (text === '') return {}
  const fields = readMessage?.(text)
  if (!readMessage && /^\s*[[{]/.test(text)) {
    try {
      return { body: cutBody(JSON.parse(text), { left: LONGEST_BODY }) }
    } catch {
      // If a body is not valid JSON, the journal shows it as text.
    }
  }
  return { body: text.slice(0, LONGEST_BODY), ...(fields !== undefined && { fields }) }
}

/** A parsed body would need thirty times the memory. The start of a long text is copied, not referenced. */
function storeBody({ context: { sent, sentText } }: FastifyRequest): string {
  if (sent === undefined || sent === null) return ''
  if (typeof sent !== 'string') {
    const isShort = sentText !== undefined && sentText.length <= LONGEST_BODY
    return isShort ? sentText : JSON.stringify(cutBody(sent, { left: LONGEST_BODY }))
  }
  // A message that is not JSON (such as XML) is stored completely, because its document limits the size of messages.
  if (sentText === undefined || sent.length <= LONGEST_BODY) return sent
  return Buffer.from(sent.slice(0, LONGEST_BODY)).toString()
}

const WIDE = /[^\0-\xff]/
/** Up to this length, one byte per character is assumed, because a search would take longer than it is worth. */
const SHORT = 250

/** V8 stores one byte per character, or two if any character requires it. */
function bytesOf(text: string): number {
  return text.length > SHORT && WIDE.test(text) ? 2 * text.length : text.length
}

function weightOf(why: JournalEntry['why']): number {
  if (!why) return 0
  return why.findings.reduce(
    (sum, { message, target }) => sum + FINDING_WEIGHT + bytesOf(message) + bytesOf(target),
    bytesOf(why.message),
  )
}

function whyOf({ refusal, refusalCode }: RequestContext, profile: string | undefined): JournalEntry['why'] {
  if (!refusal) return undefined
  return {
    code: refusalCode ?? wireCodeOf(refusal),
    message: refusal.message,
    ...(refusal.source !== undefined && { source: refusal.source }),
    ...(profile !== undefined && { profile }),
    findings: [...refusal.findings],
  }
}

/** Formats headers as Node does: repeated headers are joined. */
function toTexts(headers: HttpHeaders = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(name === 'cookie' ? '; ' : ', ')]),
  )
}
