import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { resetSocket } from './sockets.ts'
import type { Dispatcher } from 'undici'

/** Where calls of a client go. */
export interface Destination {
  origin: string
  dispatcher: Dispatcher
  /** In the place of the client's own or beside them. */
  headers: Readonly<Record<string, string>>
}

/** Those that are about one connection alone (RFC 9110, section 7.6.1), and what a proxy answers by itself. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** Codes of a reply that never began because the other side ended the connection. */
const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED']

/** Hands a call on and its reply back, piece by piece; a reply that is lost or cut short is so for the client too. */
export async function relay(
  { origin, dispatcher, headers: own }: Destination,
  path: string,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  reply.once('close', () => left.abort())
  const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers
  try {
    const { statusCode, statusText, headers, body } = await dispatcher.request({
      origin,
      path,
      method: request.method as Dispatcher.HttpMethod,
      headers: [...passingHeaders(request.rawHeaders, own), ...Object.entries(own).flat()],
      body: hasBody ? request : null,
      signal: left.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      responseHeaders: 'raw',
    })
    reply.sendDate = false
    reply.writeHead(statusCode, statusText, passingHeaders(asSent(headers)))
    reply.flushHeaders()
    await pipeline(body, reply)
  } catch (error) {
    if (left.signal.aborted) return
    const { code = '', message } = error as NodeJS.ErrnoException
    if (reply.headersSent || LOST.includes(code)) resetSocket(request.socket)
    else refuse(reply, 502, `${origin} cannot be reached: ${message}`)
  }
}

/** `raw` of undici's `responseHeaders` gives a list, of which its types know nothing. */
function asSent(headers: unknown): string[] {
  return Array.isArray(headers) ? headers.map(String) : []
}

/** Names and values in turn, as they were sent, without those that are about their connection. */
function passingHeaders(raw: readonly string[], replaced: Readonly<Record<string, string>> = {}): string[] {
  const isName = (i: number, name: string) => i % 2 === 0 && raw[i]!.toLowerCase() === name
  const listed = raw.flatMap((value, i) =>
    i > 0 && isName(i - 1, 'connection') ? value.toLowerCase().split(/ *, */) : [],
  )
  return raw.filter((_, i) => {
    const name = raw[i - (i % 2)]!.toLowerCase()
    return !HOP_BY_HOP.has(name) && !listed.includes(name) && !(name in replaced)
  })
}

/** As the control API says its errors. */
export function refuse(reply: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) {
  const code = status === 403 ? 'ForbiddenError' : status === 404 ? 'NotFoundError' : 'ProxyError'
  const text = JSON.stringify({ error: { code, message, details: [] } })
  reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
}
