const CHUNK = 256 * 1024

/** Texts as bytes in large chunks, which the garbage collector need not look into; a chunk goes when its holders do. */
export class TextShelf {
  /** Where the text put last is, and where in it it ends. */
  chunk = Buffer.alloc(0)
  end = 0

  /** Gives where the text begins in `chunk`. */
  put(text: string): number {
    // UTF-8 takes at most three bytes a UTF-16 unit.
    const start = this.#makeRoom(text.length * 3)
    this.end += this.chunk.write(text, start)
    return start
  }

  /** The same for a text that is bytes already. */
  copy(text: Uint8Array): number {
    const start = this.#makeRoom(text.length)
    this.chunk.set(text, start)
    this.end += text.length
    return start
  }

  #makeRoom(bytes: number): number {
    if (this.end + bytes > this.chunk.length) {
      this.chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK, bytes))
      this.end = 0
    }
    return this.end
  }
}
