import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sentAddress } from '../http/addresses.ts'
import type { HttpBody, HttpExchange, HttpHeaders } from '#contract/exchange.ts'
import type { CapturedExchange, ReadMessage } from '../ports/exchange.ts'

declare module 'node:net' {
  interface Socket {
    newestHeaders?: string
  }
}

/** A request that was received, and its response. `reply` is absent if the response is delayed or was lost. */
export class ReceivedExchange implements CapturedExchange {
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly worldName: string | undefined
  readonly headers: string
  readonly status: number | undefined
  readonly replyHeaders: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isCut: boolean
  readonly readMessage: ReadMessage | undefined
  aborted = false

  constructor(request: FastifyRequest, reply?: FastifyReply, text = '') {
    const { id, method, raw, context } = request
    this.requestId = id
    this.method = method
    this.url = sentAddress(request)
    this.worldName = raw.worldName
    this.headers = joinHeaders(raw)
    this.status = context.unanswered ? undefined : reply?.statusCode
    this.replyHeaders = reply?.getHeaders() ?? {}
    this.text = text
    this.isCut = context.throttling !== undefined && 'cut' in context.throttling
    this.readMessage = context.readMessage
  }
}

/** One string is cheaper for the garbage collector than an array, and requests of a connection usually share it. */
function joinHeaders({ rawHeaders, socket }: IncomingMessage): string {
  const headers = rawHeaders.join('\n')
  if (headers !== socket.newestHeaders) socket.newestHeaders = headers
  return socket.newestHeaders
}

function readHeaders({ headers }: CapturedExchange): Map<string, string[]> {
  const sent = headers.split('\n')
  const read = new Map<string, string[]>()
  // Without headers, `split` returns an empty name without a value, which this loop skips.
  for (let i = 0; i + 1 < sent.length; i += 2) {
    const name = sent[i]!.toLowerCase()
    read.set(name, [...(read.get(name) ?? []), sent[i + 1]!])
  }
  return read
}

/** The result contains all headers. Its `prefix` contains the world. `sent` is the body of the request. */
export function readExchange(captured: CapturedExchange, sent: HttpBody | undefined): HttpExchange {
  const { method, url, worldName, status, replyHeaders, text, isCut } = captured
  const headers = [...readHeaders(captured)].map(([name, values]) => [name, values.length > 1 ? values : values[0]!])
  return {
    call: {
      method,
      path: url,
      ...(worldName !== undefined && { prefix: `/w/${worldName}` }),
      headers: Object.fromEntries(headers) as HttpHeaders,
      ...(sent !== undefined && { body: sent }),
    },
    reply:
      status === undefined
        ? {}
        : {
            status,
            headers: { ...lengthOf(text), ...toReplyHeaders(replyHeaders) },
            body: text,
            ...(isCut && { cut: true }),
          },
  }
}

/** Calculates the content length, because Fastify sets it only when it sends the response. */
function lengthOf(text: string): Record<string, string> {
  return text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) }
}

function toReplyHeaders(replyHeaders: CapturedExchange['replyHeaders']): HttpHeaders {
  const known = Object.entries(replyHeaders).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    known.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}
