import { createParser } from 'eventsource-parser'
import { readBody, readText } from '#contract/bodies.ts'
import type { HttpHeaders, HttpRequest, HttpResponse } from '#contract/exchange.ts'
import { readFrameData } from '#contract/records/decoded-text.ts'
import { passingCallHeaders, passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { ProxiedCall } from './forward-proxy.ts'
import { passingHeaders, toHeaderFields } from './raw-headers.ts'
import { isEventStream, type ReplyEnd, type TrafficObserver } from './relay.ts'
import type { StreamFrame } from '#contract/files/case.ts'

/** Maximum size of an event in characters. A longer event is discarded, because the event might never end. */
const LONGEST_EVENT = 4 * 1024 * 1024
/** Maximum size of both bodies together in bytes. */
const LARGEST = 32 * 1024 * 1024

/** Frames of an event stream are passed to `onFrame`. */
export class CapturedExchange implements TrafficObserver {
  readonly #proxied: ProxiedCall
  readonly #readFrames: (bytes: Buffer) => void
  readonly #sent: Buffer[] = []
  readonly #received: Buffer[] = []
  #bytes = 0
  #head: { status: number; headers: HttpHeaders } | undefined
  #end: ReplyEnd | undefined

  constructor(proxied: ProxiedCall, onFrame: (frame: StreamFrame) => void) {
    this.#proxied = proxied
    this.#readFrames = createFrameReader(onFrame)
  }

  get isStream(): boolean {
    return isEventStream(this.#proxied.request.method, this.#head?.headers['content-type'])
  }

  get isTooLarge(): boolean {
    return this.#bytes > LARGEST
  }

  get hasLeft(): boolean {
    return this.#end === 'left'
  }

  sent(bytes: Buffer): void {
    this.#keep(this.#sent, bytes)
  }

  answered(status: number, raw: readonly string[]): void {
    this.#head = { status, headers: without(toHeaderFields(raw), passingReplyHeaders) }
  }

  received(bytes: Buffer): void {
    if (!this.isStream) return this.#keep(this.#received, bytes)
    this.#bytes += bytes.length
    this.#readFrames(bytes)
  }

  ended(how: ReplyEnd): void {
    this.#end = how
  }

  readCall(): HttpRequest {
    return toCall(this.#proxied, Buffer.concat(this.#sent))
  }

  /** Undefined if the request was not sent. If the client disconnected, the response has no body. */
  readReply(): HttpResponse | undefined {
    if (this.#end === 'lost') return {}
    if (!this.#head || this.hasLeft) return this.#head
    if (this.isStream) return { ...this.#head, body: '' }
    const { status, headers } = this.#head
    const cut = this.#end === 'cut' && { cut: true }
    const isHead = this.#proxied.request.method === 'HEAD'
    const text = isHead ? undefined : readText(Buffer.concat(this.#received), headers)
    if (text === undefined) return { status, headers, ...cut }
    const { 'content-encoding': _, ...others } = headers
    return { status, headers: others, body: text, ...cut }
  }

  #keep(chunks: Buffer[], bytes: Buffer): void {
    this.#bytes += bytes.length
    // The chunk is part of a larger buffer of the socket. Copying the chunk avoids keeping that buffer in memory.
    if (!this.isTooLarge) chunks.push(Buffer.from(bytes))
  }
}

export function toCall({ url, request }: ProxiedCall, body: Buffer): HttpRequest {
  const headers = without(toHeaderFields(passingHeaders(request.rawHeaders)), passingCallHeaders)
  const { method = 'GET' } = request
  const coding = request.headers['content-encoding']
  return { method, path: url.path, headers, ...(body.length > 0 && { body: readBody(body, coding) }) }
}

function without(fields: HttpHeaders, passing: ReadonlySet<string>): HttpHeaders {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !passing.has(name)))
}

function createFrameReader(onFrame: (frame: StreamFrame) => void): (bytes: Buffer) => void {
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent({ event = 'message', id, data }) {
      onFrame({ event, ...(id !== undefined && { id }), data: readFrameData(event, data) })
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') parser.reset()
    },
  })
  return (bytes) => parser.feed(decoder.decode(bytes, { stream: true }))
}
