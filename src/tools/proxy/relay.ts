import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TLSSocket } from 'node:tls'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { describeCertificate, describeFailure } from '#contract/failures.ts'
import { readBounded, type ReplyBounds } from './bounded-reply.ts'
import { changeLinks, type OwnLinks } from './own-links.ts'
import { asSent, findHeader, passingHeaders } from './raw-headers.ts'
import { type ProxiedCall, refuse } from './forward-proxy.ts'

/** Milliseconds until a client that does not read its response is disconnected, because it occupies memory. */
const UNREAD = 30_000

/** If the upstream's response is lost or cut off, so is the client's. `body` is a request body already read. */
export async function relay(
  { origin, dispatcher, path, headers: own, bounds, links }: Destination,
  { url, request, reply }: ProxiedCall,
  { body: read, observer }: { body?: Buffer | undefined; observer?: TrafficObserver | undefined } = {},
): Promise<void> {
  const left = new AbortController()
  reply.once('close', () => left.abort())
  const replaced = { ...own, ...links?.asked(request.headers), ...(links && { 'accept-encoding': 'identity' }) }
  if (read) observer?.sent(read)
  try {
    const { statusCode, statusText, headers, body } = await dispatcher.request({
      origin,
      path: path ?? url.path,
      method: request.method as Dispatcher.HttpMethod,
      headers: [...passingHeaders(request.rawHeaders, Object.keys(replaced)), ...Object.entries(replaced).flat()],
      body: read ?? (hasBody(request) ? toBody(request, observer) : null),
      signal: left.signal,
      headersTimeout: bounds?.patience ?? 0,
      bodyTimeout: 0,
      responseHeaders: 'raw',
    })
    const raw = passingHeaders(asSent(headers))
    const pieces = readBounded(body, isEventStream('GET', findHeader(raw, 'content-type')) ? undefined : bounds)
    const passed = links ? await changeLinks(links, raw, pieces, request.method) : { raw, pieces }
    reply.sendDate = false
    reply.setTimeout(UNREAD, () => reply.writableNeedDrain && reply.destroy())
    reply.writeHead(statusCode, statusText, [...passed.raw])
    observer?.answered(statusCode, passed.raw)
    // Node writes the head as UTF-8 with flushHeaders(), but as Latin-1 if the head is sent together with bytes.
    reply.write(Buffer.alloc(0))
    await pipeline(
      watch(passed.pieces, (piece) => observer?.received(piece)),
      reply,
    )
    observer?.ended('whole')
  } catch (error) {
    if (left.signal.aborted) observer?.ended('left')
    else if (reply.headersSent || isLost(error)) {
      observer?.ended(reply.headersSent ? 'cut' : 'lost')
      resetSocket(request.socket)
    } else refuseFor(error as Error, reply, origin)
  }
}

function toBody(request: IncomingMessage, observer: TrafficObserver | undefined): Readable {
  if (!observer) return request
  return Readable.from(
    watch(request, (piece) => observer.sent(piece)),
    { objectMode: false },
  )
}

async function* watch(pieces: AsyncIterable<Buffer>, see: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    see(piece)
    yield piece
  }
}

function refuseFor(error: NodeJS.ErrnoException, reply: ServerResponse, origin: string): void {
  if (error.code === 'UND_ERR_HEADERS_TIMEOUT') return refuse(reply, 504, `${origin} did not respond in time`)
  const distrust = describeCertificate(error)
  refuse(
    reply,
    502,
    `${origin} ${distrust ? 'is not trusted' : 'cannot be reached'}: ${distrust ?? describeFailure(error)}`,
  )
}

export interface TrafficObserver {
  sent(bytes: Buffer): void
  /** `headers` is a flat list in which names and values alternate, as sent to the client. */
  answered(status: number, headers: readonly string[]): void
  received(bytes: Buffer): void
  ended(how: ReplyEnd): void
}

/** `lost` means that the connection ended before the response head. `left` means that the client disconnected. */
export type ReplyEnd = 'whole' | 'cut' | 'lost' | 'left'

export interface Destination {
  origin: string
  dispatcher: Dispatcher
  /** The path to request from the upstream. Default: the path of the client's request. */
  path?: string
  headers: Readonly<Record<string, string>>
  /** Limits for responses. They do not apply to event streams, which have no end. */
  bounds?: ReplyBounds | undefined
  links?: OwnLinks | undefined
}

export function isEventStream(method: string | undefined, contentType: unknown): boolean {
  return method !== 'HEAD' && /^text\/event-stream/i.test(String(contentType))
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers
}

/** Reads the body to its end even if it is too large, because an unread body would destroy the connection. */
export async function readCallBody(request: AsyncIterable<Buffer>, largest: number): Promise<Buffer | 'too large'> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    bytes += piece.length
    if (bytes <= largest) pieces.push(piece)
  }
  return bytes <= largest ? Buffer.concat(pieces) : 'too large'
}

/** A TLS socket cannot be reset. Its peer treats an end without a close notification as a reset. */
function resetSocket(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED']

/** Returns whether the upstream closed the connection before sending a response. */
export function isLost(error: unknown): boolean {
  return LOST.includes((error as NodeJS.ErrnoException).code ?? '')
}
