import { connect, type Socket } from 'node:net'

/** Readers run on the same machine as the server, so they use as little CPU time as possible. */
export class StreamReaders {
  readonly counts: number[] = []
  readonly #sockets: Socket[] = []
  #total = 0
  #awaited = 0
  #arrived = () => {}

  /** A stream is open when its first bytes have arrived. */
  async open(port: number, paths: readonly string[]): Promise<void> {
    for (let i = 0; i < paths.length; i += 100) {
      await Promise.all(paths.slice(i, i + 100).map((path) => this.#connect(port, path)))
    }
  }

  arrive(events: number): Promise<void> {
    this.#awaited = this.#total + events
    return new Promise((resolve) => {
      this.#arrived = resolve
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #connect(port: number, path: string): Promise<void> {
    const index = this.counts.push(0) - 1
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      this.#sockets.push(socket)
      socket.once('error', reject)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`)
      socket.once('data', () => resolve())
      socket.on('data', (bytes) => this.#count(index, bytes))
    })
  }

  #count(index: number, bytes: Buffer): void {
    let at = bytes.indexOf(MARK)
    while (at >= 0) {
      this.counts[index]!++
      if (++this.#total === this.#awaited) this.#arrived()
      at = bytes.indexOf(MARK, at + MARK.length)
    }
  }
}

/** Every event contains this text exactly once. */
const MARK = Buffer.from('"eventId"')
