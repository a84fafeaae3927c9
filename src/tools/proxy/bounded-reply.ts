/** Bounds of what somebody else's server answers, as for commands that ask one. */
export interface ReplyBounds {
  /** Milliseconds until it begins to answer, and then without a byte. */
  patience: number
  /** Milliseconds that are waited for a whole answer, however slowly it comes. */
  longest: number
  bytes: number
  /** Milliseconds, from whenever. */
  timer(): number
}

/** A reply that is larger or later than its bounds; it is cut off. */
export class EndlessReply extends Error {
  override readonly name = 'EndlessReply'
}

/** The pieces of a body as they come; the time that the reader takes does not count. */
export async function* readBounded(
  body: AsyncIterable<Buffer>,
  bounds: ReplyBounds | undefined,
): AsyncGenerator<Buffer> {
  if (!bounds) return yield* body
  const pieces = body[Symbol.asyncIterator]()
  let [bytes, waited] = [0, 0]
  try {
    for (;;) {
      const began = bounds.timer()
      const { done, value } = await within(pieces.next(), Math.min(bounds.patience, bounds.longest - waited))
      waited += bounds.timer() - began
      if (done) return
      bytes += value.length
      if (bytes > bounds.bytes) throw new EndlessReply(`it is larger than ${bounds.bytes / 1024 / 1024} MB`)
      yield value
    }
  } finally {
    // The piece that is awaited may never come.
    pieces.return?.().catch(() => {})
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EndlessReply('it does not end')), Math.max(0, ms))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
