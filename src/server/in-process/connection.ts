import { Duplex } from 'node:stream'

/**
 * One end of a connection within this process: what is written to it is read from the other. It has of a socket what
 * Node's HTTP server and client, and this server, ask of one.
 */
export class LocalConnection extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort: number
  #other: LocalConnection | undefined
  #whenRead: (() => void) | undefined
  #ended = false
  #awake: NodeJS.Timeout | undefined

  private constructor(remotePort: number, allowHalfOpen: boolean) {
    super({ allowHalfOpen })
    this.remotePort = remotePort
    // Node's client lets go of a connection for a moment before it keeps it: a reset then would end the process.
    this.on('error', () => {})
  }

  /** Both ends; `number` stands for the client's port, by which connections are told apart. */
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
    // Bytes that were written whole before an end are read whole.
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

  /** Time runs for real connections alone: nobody is left waiting here but by their own will. */
  setTimeout(): this {
    return this
  }

  /** The process goes on while a reply is waited for, as with a socket. */
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
