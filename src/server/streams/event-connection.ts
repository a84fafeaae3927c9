import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import { varyStream } from '../chaos/variation/variation.ts'
import type { VariedStream } from '../chaos/variation/sse.ts'
import { resetConnection } from '../http/connection/connections.ts'
import { PacedPieces } from '../http/connection/paced-pieces.ts'
import { streamHeaders } from '../http/connection/sse.ts'
import { Throttle } from '../http/connection/throttle.ts'

/** How long a reader that does not read may take to hear of the end, in milliseconds. */
const LAST_WORDS = 500

/**
 * Server-sent events on the raw response. What is written goes to the socket as one chunk in one call; Node's response
 * would make four writes of it.
 */
export class EventConnection {
  readonly #reply: FastifyReply['raw']
  readonly #socket: Socket
  readonly #chunked: boolean
  readonly #varied: { stream: VariedStream; pieces: PacedPieces } | undefined
  readonly #throttle: Throttle | undefined

  /** Takes the reply over from Fastify; its headers go out with `first`. */
  constructor(request: FastifyRequest, reply: FastifyReply, first: string) {
    const { socket } = reply.raw
    // Where the server has no port there is none.
    if (!socket || socket.destroyed || !('setKeepAlive' in socket)) {
      throw new DomainError('malformed', 'a stream needs a connection')
    }
    this.#reply = reply.raw
    this.#socket = socket
    this.#chunked = request.raw.httpVersionMinor > 0
    const { throttling } = request.notes
    if (throttling) {
      // A broken character's halves are bytes too.
      const send = (bytes: Buffer, whenSent?: () => void) => socket.write(this.#toChunk(bytes), whenSent)
      const throttle = new Throttle(throttling, { send, reset: () => this.reset() })
      this.#throttle = throttle
      this.onClose(() => throttle.stop())
    }
    reply.hijack()
    reply.headers(streamHeaders)
    const varied = varyStream(request, reply)
    this.#varied = varied && { stream: varied, pieces: new PacedPieces(socket) }
    request.server.reportReply(request, reply)
    reply.raw.writeHead(reply.statusCode, {
      ...(reply.getHeaders() as Record<string, string>),
      ...(this.#chunked ? { 'transfer-encoding': 'chunked' } : { connection: 'close' }),
    })
    const { streamSockets } = request.server
    streamSockets.add(socket)
    this.onClose(() => streamSockets.delete(socket))
    socket.setKeepAlive(true, 30_000)
    socket.cork()
    reply.raw.flushHeaders()
    this.write(first)
    socket.uncork()
  }

  write(text: string, whenWritten?: () => void): void {
    const pieces = this.#varied?.stream.write(text)
    if (this.#throttle) return this.#throttle.push(pieces ? Buffer.concat(pieces) : Buffer.from(text), whenWritten)
    if (this.#varied && pieces) {
      const chunks = pieces.map((piece) => this.#toChunk(piece))
      return this.#varied.pieces.add(chunks, whenWritten)
    }
    const bytes = Buffer.byteLength(text)
    const chunk = this.#chunked ? `${bytes.toString(16)}\r\n${text}\r\n` : text
    // The shorter way for ASCII, which is nearly always all there is.
    this.#socket.write(chunk, bytes === text.length ? 'latin1' : 'utf8', whenWritten)
  }

  #toChunk(piece: Buffer): Buffer {
    if (!this.#chunked) return piece
    return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
  }

  get waiting(): number {
    const held = this.#throttle?.waiting ?? this.#varied?.pieces.waiting ?? 0
    return this.#socket.writableLength + held
  }

  /** Whether the system takes no more for now; once it does, `onceDrained` is called. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > 0
  }

  onceDrained(listener: () => void): void {
    this.#socket.once('drain', listener)
  }

  onClose(listener: () => void): void {
    // `once` would wrap the listener in three objects more for every stream.
    this.#reply.on('close', listener)
  }

  end(): void {
    this.#varied?.pieces.flush()
    this.#reply.end()
    if (this.#reply.closed || !this.#socket.writableLength) return
    const timer = setTimeout(() => this.reset(), LAST_WORDS)
    this.#reply.once('close', () => clearTimeout(timer))
  }

  reset(): void {
    resetConnection(this.#socket)
  }
}
