import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../domain/errors.ts'
import { FaultyWrites } from '../chaos/faulty-writes.ts'
import { varyStream } from '../chaos/variation/variation.ts'
import type { VariedStream } from '../chaos/variation/sse.ts'
import { resetConnection } from '../http/connection/connections.ts'
import { streamHeaders } from '../http/connection/sse.ts'

/** Milliseconds in which a client that does not read can still receive the end of the stream. */
const LAST_WORDS = 500

/** Throws for injected and pipelined requests, which have no socket, or if the client has closed its side. */
export function requireConnection({ raw: { socket } }: FastifyReply): Socket {
  if (socket && !socket.destroyed && !socket.readableEnded && 'setKeepAlive' in socket) return socket
  throw new DomainError('malformed', 'a stream needs a connection', { source: 'our choice: stream-limits' })
}

/** A client that closes its side of a stream counts as disconnected. */
function destroy(this: Socket): void {
  this.destroy()
}

/** Writes chunks directly to the socket. Node would use four writes for each chunk. */
export class EventConnection {
  readonly #reply: FastifyReply['raw']
  readonly #socket: Socket
  readonly #chunked: boolean
  readonly #varied: VariedStream | undefined
  readonly #faultyWrites: FaultyWrites | undefined
  /** Returns whether a filter contains the value. Such a value must not vary. */
  isNamed: (value: string) => boolean = () => false
  /** Called when an injected fault cuts off the response. */
  onCut = (): void => this.reset()

  constructor(request: FastifyRequest, reply: FastifyReply, first: string) {
    const socket = requireConnection(reply)
    this.#reply = reply.raw
    this.#socket = socket
    this.#chunked = request.raw.httpVersionMinor > 0
    reply.hijack()
    reply.headers(streamHeaders)
    this.#varied = varyStream(request, reply, (value) => this.isNamed(value))
    const { throttling } = request.context
    if (throttling || this.#varied) {
      const faultyWrites = new FaultyWrites(this.#outlet, throttling)
      this.#faultyWrites = faultyWrites
      this.onClose(() => void faultyWrites.stop())
    }
    request.server.reportReply(request, reply)
    reply.raw.writeHead(reply.statusCode, {
      ...(reply.getHeaders() as Record<string, string>),
      ...(this.#chunked ? { 'transfer-encoding': 'chunked' } : { connection: 'close' }),
    })
    const { streamSockets } = request.server
    streamSockets.add(socket)
    this.onClose(() => {
      streamSockets.delete(socket)
      socket.off('end', destroy)
    })
    socket.on('end', destroy)
    // Reads and discards all input. Node detects a disconnected client only while it reads.
    request.raw.resume()
    socket.resume()
    socket.setKeepAlive(true, 30_000)
    socket.cork()
    reply.raw.flushHeaders()
    this.write(first)
    socket.uncork()
  }

  write(text: string, whenWritten?: () => void): void {
    if (this.#faultyWrites)
      return this.#faultyWrites.write(this.#varied?.write(text) ?? [Buffer.from(text)], whenWritten)
    const bytes = Buffer.byteLength(text)
    const chunk = this.#chunked ? `${bytes.toString(16)}\r\n${text}\r\n` : text
    // Most text is ASCII, which is written faster as Latin-1.
    this.#socket.write(chunk, bytes === text.length ? 'latin1' : 'utf8', whenWritten)
  }

  /** Writes bytes and not strings, because a frame may be cut in the middle of a character. */
  get #outlet(): ConstructorParameters<typeof FaultyWrites>[0] {
    const toChunk = (piece: Buffer) =>
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    return {
      write: (piece, whenWritten) => {
        if (!this.#socket.destroyed) this.#socket.write(this.#chunked ? toChunk(piece) : piece, whenWritten)
      },
      reset: () => this.onCut(),
    }
  }

  get waiting(): number {
    return this.#socket.writableLength + (this.#faultyWrites?.waiting ?? 0)
  }

  /** If true, the caller should wait for `onceDrained` before it writes more. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain && this.#socket.writableLength > 0
  }

  onceDrained(listener: () => void): void {
    this.#socket.once('drain', listener)
  }

  onClose(listener: () => void): void {
    // Uses `on`, because `once` would create three more objects per stream.
    this.#reply.on('close', listener)
  }

  end(): void {
    this.#faultyWrites?.flush()
    this.#reply.end()
    if (this.#reply.closed || !this.#socket.writableLength) return
    const timer = setTimeout(() => this.reset(), LAST_WORDS)
    this.#reply.once('close', () => clearTimeout(timer))
  }

  reset(): void {
    resetConnection(this.#socket)
  }
}
