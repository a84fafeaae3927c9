import type { Socket } from 'node:net'

/** Milliseconds of real time between two pieces, so that they do not reach the reader as one. */
const APART = 2

interface Piece {
  bytes: Buffer
  whenWritten: (() => void) | undefined
}

export class PacedPieces {
  readonly #socket: Socket
  #queue: Piece[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket) {
    this.#socket = socket
  }

  get waiting(): number {
    return this.#queue.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  add(pieces: readonly Buffer[], whenWritten?: () => void): void {
    pieces.forEach((bytes, i) => {
      this.#queue.push({ bytes, whenWritten: i === pieces.length - 1 ? whenWritten : undefined })
    })
    if (!this.#timer) this.#writeNext()
  }

  /** The rest at once. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const piece of this.#queue.splice(0)) this.#write(piece)
  }

  #writeNext(): void {
    const piece = this.#queue.shift()
    this.#timer = piece && setTimeout(() => this.#writeNext(), APART)
    if (piece) this.#write(piece)
  }

  #write({ bytes, whenWritten }: Piece): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes, whenWritten)
  }
}
