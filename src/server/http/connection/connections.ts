import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance, onSendHookHandler } from 'fastify'
import { DomainError } from '#server/domain/errors.ts'
import { RULE_HEADER } from '../errors.ts'
import { writeJsonError, type WriteError } from '../json-errors.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** The error with which the connection was rejected before this request had arrived completely. */
    refused?: DomainError
    awaitsContinue?: boolean
  }
}

/** All times are in milliseconds, and all sizes are in bytes. */
export interface ConnectionBounds {
  connectionsCheckingInterval: number
  handshakeTimeout: number
  headersTimeout: number
  requestTimeout: number
  keepAliveTimeout: number
  maxHeaderSize: number
  /** Milliseconds after which a connection is closed if its write buffer does not drain. */
  readingTimeout: number
}

/** Maximum size of the request target and the headers together in bytes, as Node counts them. */
const MOST_IN_HEAD = 16 * 1024

export const connectionBounds: Readonly<ConnectionBounds> = {
  // Interval at which Node checks for slow senders. Node's default is 30 seconds.
  connectionsCheckingInterval: 1000,
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
  // Node reads 64 KiB at a time. The first chunk of a larger head contains the address and already exceeds the limit.
  maxHeaderSize: 2 * MOST_IN_HEAD,
  readingTimeout: 60_000,
}

/** If no data arrives for this many milliseconds, an error response no longer waits for the rest of the request. */
const PATIENCE = 1000

/** Minimum milliseconds between warnings about rejected connections. */
const WARN_EVERY = 1000

const MOST_HEADERS = 200

/**
 * Above `max` connections, each additional connection gets an error response. Node itself would drop it. Returns a
 * function that counts the rejected connections.
 */
export function limitConnections(app: FastifyInstance, max: number): () => number {
  let open = 0
  let rejected = 0
  let warned = 0
  const warn = () => {
    const count = rejected - warned
    warned = rejected
    app.log.warn({ rejected: count }, `connections rejected: ${count}. The limit is ${max} (MAX_CONNECTIONS)`)
  }
  // Limited, because thousands of short headers would need fifteen times their size in memory.
  app.server.maxHeadersCount = MOST_HEADERS
  // A client may send a request, close its side of the connection and still read the response.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  app.server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => open--)
    if (open <= max) return
    rejected++
    if (rejected === warned + 1) setTimeout(warn, WARN_EVERY).unref()
    const error = new DomainError('unavailable', `more than ${max} connections`, {
      source: 'our choice: further-statuses',
    })
    refuse(socket, error, writeJsonError)
  })
  // No response can be sent after a failed handshake.
  app.server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy())
  return () => rejected
}

/**
 * Proxies and simple clients read the response only after they have sent the entire body, so the rest is read and
 * discarded. A closing response waits until the body ends or pauses for `PATIENCE` milliseconds.
 */
export const drainRejectedBody: onSendHookHandler = ({ raw, server }, reply, _payload, done) => {
  if (raw.complete || raw.destroyed || !hasBody(raw)) return done()
  if (raw.awaitsContinue && raw.readableLength === 0) {
    // The client may now send either the body or the next request, and the server cannot distinguish the two.
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
    // Fastify sets `Connection: close` if it has not read the entire body.
    if (reply.hasHeader('connection') && !server.closing.aborted) reply.header('connection', 'keep-alive')
    done()
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** A TLS socket cannot send a reset. In that case, Node throws when `resetAndDestroy()` is called. */
export function resetConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** The newest response of each connection. Node sends pipelined responses in order, so the newest one is sent last. */
export type NewestReplies = WeakMap<Socket, ServerResponse>

/**
 * Responds to invalid HTTP, after earlier responses, and closes the connection. Nothing is sent if the response has
 * started or an earlier one is a stream, because the server could no longer detect that the client has disconnected.
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
      // A client that has closed its side counts as disconnected, but not one that has sent invalid data.
      if (error.code !== 'HPE_INVALID_EOF_STATE') reply.req.refused = refusal
      refuse(socket, refusal, write)
    } else reply.once('finish', refuseNext)
  }
}

/** Responds to CONNECT requests. Without this listener, Node would close the connection without a response. */
export function rejectTunnels({ server }: FastifyInstance, formOf: (url: string) => WriteError): void {
  server.on('connect', ({ url = '' }: IncomingMessage, socket: Socket) => {
    const message = 'CONNECT is not supported. Use `vendor-cloud proxy` as the proxy'
    // For a CONNECT request, Node removes its own error listener from the socket.
    socket.on('error', () => socket.destroy())
    // RFC 9110, section 15.5.6, requires `Allow`. A CONNECT target is not a resource, so the list is empty.
    const allow = { allow: '' }
    const error = new DomainError('method-not-allowed', message, { source: 'our choice: further-statuses' })
    refuse(socket, error, formOf(url), allow)
    socket.destroySoon()
  })
}

interface ParserError extends NodeJS.ErrnoException {
  /** The chunk of bytes in which the parser stopped. Absent if a request timed out. */
  rawPacket?: unknown
}

/** The last request whose first line is in the packet, or an empty string. */
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

/** Node 24 reports the same error for too many headers and for too many bytes, so the message names both limits. */
export function headTooLarge(): DomainError {
  const message = `the request has at least ${MOST_HEADERS} headers, or more than 16 KiB of URL and headers`
  return new DomainError('headers-too-large', message, { source: 'our choice: header-count' })
}

function refuse(
  socket: Socket,
  refusal: DomainError,
  write: WriteError,
  more: Readonly<Record<string, string>> = {},
): void {
  // Each connection is rejected at most once, so the ID is unique if it contains the port.
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
