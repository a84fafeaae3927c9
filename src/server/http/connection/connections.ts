import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance, onSendHookHandler } from 'fastify'
import { DomainError } from '#server/domain/errors.ts'
import { RULE_HEADER } from '../errors.ts'
import { writeJsonError, type WriteError } from '../json-errors.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** The connection itself was answered so, before this request had come whole. */
    refused?: DomainError
    /** The client sends the body only after `100 Continue`. */
    awaitsContinue?: boolean
  }
}

/** Milliseconds and bytes. */
export interface ConnectionBounds {
  connectionsCheckingInterval: number
  handshakeTimeout: number
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  maxHeaderSize: number
  /** Milliseconds until a connection closes whose write buffer does not drain. */
  readingTimeout: number
}

/** Address and headers of a request together, as Node counts them. */
const MOST_IN_HEAD = 16 * 1024

export const connectionBounds: Readonly<ConnectionBounds> = {
  // Node looks for slow senders this often; its default is 30 s.
  connectionsCheckingInterval: 1000,
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  // Node reads 64 KiB at a time, so the first chunk of a larger head has the address and is already too large.
  maxHeaderSize: 2 * MOST_IN_HEAD,
  readingTimeout: 60_000,
}

/** Milliseconds of silence after which an error response no longer waits for the rest of the request. */
const PATIENCE = 1000

/** A request with this many headers is rejected. */
const MOST_HEADERS = 200

/** A connection beyond `max` is refused in words rather than dropped. */
export function limitConnections(app: FastifyInstance, max: number): void {
  let open = 0
  // Thousands of short headers would take fifteen times their bytes in memory.
  app.server.maxHeadersCount = MOST_HEADERS
  // A client may close its side after its request and still read the response.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  app.server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
    if (open <= max) return
    const error = new DomainError('unavailable', `more than ${max} connections`, {
      source: 'our choice: further-statuses',
    })
    refuse(socket, error, writeJsonError)
  })
  // A failed handshake leaves no way to send words.
  app.server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy())
}

/**
 * A connection that is closed while a body is still being sent is reset, and the refusal is lost with it: proxies and
 * simple clients send first and read then. So the rest is read and thrown away, for as long as a request may take;
 * where the connection has to close after the reply, the reply waits for it as long as it comes.
 */
export const drainRejectedBody: onSendHookHandler = ({ raw, server }, reply, _payload, done) => {
  if (raw.complete || raw.destroyed || !hasBody(raw)) return done()
  if (raw.awaitsContinue && raw.readableLength === 0) {
    // The client may send the body or the next request. Nothing distinguishes them.
    reply.header('connection', 'close')
    return done()
  }
  if (!reply.raw.shouldKeepAlive) {
    const finish = () => {
      clearTimeout(timer)
      raw.off('close', finish).off('data', wait)
      done()
    }
    const timer = setTimeout(finish, PATIENCE)
    const wait = () => void timer.refresh()
    raw.on('data', wait).resume().once('close', finish)
  } else {
    // Fastify announces `close` when it has not read a body to its end.
    if (reply.hasHeader('connection') && !server.closing.aborted) reply.header('connection', 'keep-alive')
    done()
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** TLS cannot reset, and Node throws when asked to. */
export function resetConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** Earlier replies of a connection are answered first, so only the newest is kept. */
export type NewestReplies = WeakMap<Socket, ServerResponse>

/**
 * Responds to input that is not HTTP, in the format of its address or else as a short text, and closes the connection.
 * Earlier requests get their responses first. When a response for the invalid request has begun, or an earlier one is
 * a stream, the connection closes without a message, because an unreadable one no longer reports a disconnected client.
 */
export function answerUnreadableRequests(
  replies: NewestReplies,
  streams: WeakSet<Socket>,
  formOf: (url: string) => WriteError,
) {
  return (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const reply = replies.get(socket)
    const broken = reply?.req.complete === false
    const write = formOf((broken && reply?.req.url) || findAddress(error))
    const refuseNext = () => {
      if (broken) socket.end()
      else if (error.code === 'HPE_HEADER_OVERFLOW') refuse(socket, headTooLarge(), write)
      else refuse(socket, toRefusal(error), write)
    }
    if (!reply || reply.writableFinished) refuseNext()
    else if (streams.has(socket) || (reply.headersSent && !reply.writableEnded)) socket.destroySoon()
    else if (broken && !reply.headersSent && reply.socket) {
      const refusal = toRefusal(error)
      // A client that sent an end has disconnected. One that sends invalid or no data is still there.
      if (error.code !== 'HPE_INVALID_EOF_STATE') reply.req.refused = refusal
      refuse(socket, refusal, write)
    }
    // The reply waits for its turn, or its last bytes for the network.
    else reply.once('finish', refuseNext)
  }
}

/** Without this listener Node closes the connection of a CONNECT without a response. */
export function rejectTunnels({ server }: FastifyInstance, formOf: (url: string) => WriteError): void {
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    const message = 'CONNECT is not supported. Use `vendor-cloud proxy` as the proxy'
    // Node no longer listens to the socket.
    socket.on('error', () => socket.destroy())
    // RFC 9110, section 15.5.6: an empty list, because a tunnel has no resource.
    const allow = { allow: '' }
    const error = new DomainError('method-not-allowed', message, { source: 'our choice: further-statuses' })
    refuse(socket, error, formOf(url), allow)
    socket.destroySoon()
  })
}

interface ParserError extends NodeJS.ErrnoException {
  /** The bytes at which the parser stopped. Absent when a request took too long. */
  rawPacket?: unknown
}

/** The address of the newest request whose first line is in the packet. Empty where none is. */
function findAddress({ rawPacket }: ParserError): string {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : ''
  const lines = [...text.matchAll(/^[A-Z]+ (\S+)/gm)]
  return lines.at(-1)?.[1] ?? ''
}

function toRefusal({ code }: NodeJS.ErrnoException): DomainError {
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const message = isLate ? 'the request took too long to arrive' : 'the request is not valid HTTP'
  return new DomainError(isLate ? 'timeout' : 'malformed', message, { source: 'our choice: further-statuses' })
}

export function isHeadTooLarge({ url = '', rawHeaders }: IncomingMessage): boolean {
  let bytes = url.length
  for (const text of rawHeaders) bytes += text.length
  return bytes >= MOST_IN_HEAD || rawHeaders.length >= 2 * MOST_HEADERS
}

/** Node 24 reports too many headers by the same error as too many bytes, so one sentence says both. */
export function headTooLarge(): DomainError {
  const message = `the request has ${MOST_HEADERS} headers or more, or over 16 KiB of them with its address`
  return new DomainError('headers-too-large', message, { source: 'our choice: header-count' })
}

function refuse(
  socket: Socket,
  refusal: DomainError,
  write: WriteError,
  more: Readonly<Record<string, string>> = {},
): void {
  // A connection is refused once.
  const requestId = `refused-${socket.remotePort}`
  const { status, headers, body } = write(refusal, requestId)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, ...more }).map((header) => header.join(': ')),
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(refusal.source ? [`${RULE_HEADER}: ${refusal.source}`] : []),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
