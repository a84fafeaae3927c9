const CHUNK = 256 * 1024

/** Texts as bytes in large chunks, which the garbage collector need not look into; a chunk goes when its holders do. */
export class TextShelf {
  /** Where the text put last is, and where in it it ends. */
  chunk = Buffer.alloc(0)
  end = 0

  /** Gives where the text begins in `chunk`. */
  put(text: string): number {
    // UTF-8 takes at most three bytes a UTF-16 unit.
    const room = text.length * 3
    if (this.end + room > this.chunk.length) {
      this.chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK, room))
      this.end = 0
    }
    const start = this.end
    this.end += this.chunk.write(text, start)
    return start
  }
}
