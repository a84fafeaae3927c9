import { Duplex } from 'node:stream'

/** Implements only the parts of a socket that this server and Node's HTTP client and server use. */
export class LocalConnection extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort: number
  /** Total number of bytes written. It increases only while the reader continues to read. */
  bytesWritten = 0
  #other: LocalConnection | undefined
  #whenRead: (() => void) | undefined
  #ended = false
  #awake: NodeJS.Timeout | undefined

  private constructor(remotePort: number, allowHalfOpen: boolean) {
    super({ allowHalfOpen })
    this.remotePort = remotePort
    // While Node's client reuses a connection, it has no error listener, and a reset would end the process.
    this.on('error', () => {})
  }

  /** `number` is used as the port of the client, which distinguishes connections. */
  static pair(number: number): { client: LocalConnection; server: LocalConnection } {
    const client = new LocalConnection(0, false).ref()
    const server = new LocalConnection(number, true)
    client.#other = server
    server.#other = client
    return { client, server }
  }

  override _read(): void {
    const whenRead = this.#whenRead
    this.#whenRead = undefined
    whenRead?.()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.bytesWritten += chunk.length
    const other = this.#other
    if (!other || other.destroyed) done(connectionReset())
    else if (other.push(chunk)) done()
    else other.#whenRead = done
  }

  override _final(done: () => void): void {
    if (this.#other) this.#other.#endInput()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const other = this.#other
    this.#other = undefined
    // If this end has finished writing, the other side can still read all bytes before the end.
    if (this.writableFinished && other) other.#endInput()
    else other?.destroy(connectionReset())
    const whenRead = this.#whenRead
    this.#whenRead = undefined
    whenRead?.()
    this.unref()
    done(error)
  }

  resetAndDestroy(): this {
    this.#other?.destroy(connectionReset())
    return this.destroy()
  }

  setKeepAlive(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  /** Timeouts apply only to real connections. */
  setTimeout(): this {
    return this
  }

  /** Like a socket, keeps the process alive while a response is pending. */
  ref(): this {
    this.#awake ??= setInterval(() => {}, 2 ** 31 - 1)
    return this
  }

  unref(): this {
    clearInterval(this.#awake)
    this.#awake = undefined
    return this
  }

  #endInput(): void {
    if (this.#ended || this.destroyed) return
    this.#ended = true
    this.push(null)
  }
}

function connectionReset(): Error {
  return Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' })
}
