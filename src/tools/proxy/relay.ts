import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import { type ReplyBounds, readBounded } from './bounded-reply.ts'
import { LONGEST_WITH_LINKS, type OwnLinks } from './own-links.ts'
import { passingHeaders } from './raw-headers.ts'
import { resetSocket } from './sockets.ts'

export interface Destination {
  origin: string
  dispatcher: Dispatcher
  headers: Readonly<Record<string, string>>
  /** Bounds hold for replies but not for event streams, which have no end. */
  bounds?: ReplyBounds | undefined
  links?: OwnLinks | undefined
}

export interface Witness {
  sent(bytes: Buffer): void
  /** Gets names and values in turn, as the client gets them. */
  answered(status: number, headers: readonly string[]): void
  received(bytes: Buffer): void
  /** `lost` means that it ended before its head; `left` means that the client went away. */
  ended(how: 'whole' | 'cut' | 'lost' | 'left'): void
}

/** A client that reads nothing for so many milliseconds is cut off, since its reply fills memory. */
const UNREAD = 30_000
/** These codes mean that the other side ended the connection before it answered. */
const LOST = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED']

/**
 * Hands a call on and its reply back, piece by piece; a reply that is lost or cut short is so for the client too.
 * `body` holds the call's body where it was read before.
 */
export async function relay(
  { origin, dispatcher, headers: own, bounds, links }: Destination,
  path: string,
  request: IncomingMessage,
  reply: ServerResponse,
  { body: read, witness }: { body?: Buffer | undefined; witness?: Witness | undefined } = {},
): Promise<void> {
  const left = new AbortController()
  reply.once('close', () => left.abort())
  const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers
  const replaced = { ...own, ...links?.asked(request.headers), ...(links && { 'accept-encoding': 'identity' }) }
  if (read && witness) witness.sent(read)
  try {
    const { statusCode, statusText, headers, body } = await dispatcher.request({
      origin,
      path,
      method: request.method as Dispatcher.HttpMethod,
      headers: [...passingHeaders(request.rawHeaders, replaced), ...Object.entries(replaced).flat()],
      body: read ?? (hasBody ? toBody(request, witness) : null),
      signal: left.signal,
      headersTimeout: bounds?.patience ?? 0,
      bodyTimeout: 0,
      responseHeaders: 'raw',
    })
    const raw = passingHeaders(asSent(headers))
    const isStream = raw.some((value, i) => i % 2 === 1 && /^text\/event-stream/i.test(value) && isType(raw[i - 1]!))
    const pieces = readBounded(body, isStream ? undefined : bounds)
    const head = links ? await changeLinks(links, raw, pieces, request.method) : { raw, pieces }
    reply.sendDate = false
    reply.setTimeout(UNREAD, () => reply.writableNeedDrain && reply.destroy())
    reply.writeHead(statusCode, statusText, head.raw)
    witness?.answered(statusCode, head.raw)
    reply.flushHeaders()
    await pipeline(
      watch(head.pieces, (piece) => witness?.received(piece)),
      reply,
    )
    witness?.ended('whole')
  } catch (error) {
    if (left.signal.aborted) return witness?.ended('left')
    const { code = '', message } = error as NodeJS.ErrnoException
    const isLost = reply.headersSent || LOST.includes(code)
    if (isLost) witness?.ended(reply.headersSent ? 'cut' : 'lost')
    if (isLost) resetSocket(request.socket)
    else if (code === 'UND_ERR_HEADERS_TIMEOUT') refuse(reply, 504, `${origin} does not answer`)
    else refuse(reply, 502, `${origin} cannot be reached: ${message}`)
  }
}

function toBody(request: IncomingMessage, witness: Witness | undefined): Readable {
  if (!witness) return request
  return Readable.from(
    watch(request, (piece) => witness.sent(piece)),
    { objectMode: false },
  )
}

const isType = (name: string) => name.toLowerCase() === 'content-type'

async function* watch(pieces: AsyncIterable<Buffer>, see: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    see(piece)
    yield piece
  }
}

/** A reply that was cut off reaches the client as far as it came, and is cut off there too. */
async function changeLinks(
  links: OwnLinks,
  raw: readonly string[],
  pieces: AsyncGenerator<Buffer>,
  method: string | undefined,
): Promise<{ raw: string[]; pieces: AsyncIterable<Buffer> }> {
  const answered = links.answered(raw)
  if (method === 'HEAD' || !links.takes(raw)) return { raw: answered, pieces }
  const { bytes, isWhole, failure } = await gather(pieces)
  const changed = isWhole ? links.change(bytes) : bytes
  const length = (value: string, i: number) =>
    i % 2 === 1 && answered[i - 1]!.toLowerCase() === 'content-length' ? String(changed.length) : value
  async function* again() {
    if (changed.length > 0) yield changed
    if (failure !== undefined) throw failure
    if (!isWhole) yield* pieces
  }
  return { raw: changed === bytes ? answered : answered.map(length), pieces: again() }
}

/** Gathers pieces until they exceed the size in which links are changed. */
async function gather(pieces: AsyncGenerator<Buffer>) {
  const first: Buffer[] = []
  try {
    for (let size = 0; size <= LONGEST_WITH_LINKS; size += first.at(-1)!.length) {
      const { done, value } = await pieces.next()
      if (done) return { bytes: Buffer.concat(first), isWhole: true }
      first.push(value)
    }
    return { bytes: Buffer.concat(first), isWhole: false }
  } catch (failure) {
    return { bytes: Buffer.concat(first), isWhole: false, failure }
  }
}

/** undici's types do not know that `raw` in `responseHeaders` gives a list. */
export function asSent(headers: unknown): string[] {
  return Array.isArray(headers) ? headers.map(String) : []
}

/** Errors have the form of the control API. */
export function refuse(reply: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) {
  const code = status === 403 ? 'ForbiddenError' : status === 404 ? 'NotFoundError' : 'ProxyError'
  const text = JSON.stringify({ error: { code, message, details: [] } })
  reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
}
