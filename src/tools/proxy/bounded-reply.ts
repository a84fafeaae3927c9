/** Another server may respond slowly or without end, so each limit stops one way of it. */
export interface ReplyBounds {
  /** Maximum milliseconds until the first byte, and between later ones. */
  patience: number
  /** Maximum milliseconds for the complete response, however steadily it arrives. */
  longest: number
  bytes: number
  /** Real time in milliseconds since any fixed instant. */
  timer(): number
}

const MINUTE = 60_000

export function createBounds(timer: ReplyBounds['timer']): ReplyBounds {
  return { patience: MINUTE / 2, longest: 2 * MINUTE, bytes: 256 * 1024 * 1024, timer }
}

/** Throws for a reply beyond a bound. Time that the reader takes does not count. */
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
      if (bytes > bounds.bytes) throw new Error(`it is larger than ${bounds.bytes / 1024 / 1024} MB`)
      yield value
    }
  } finally {
    // The pending read may never settle, so nothing waits for it.
    pieces.return?.().catch(() => {})
  }
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it does not end')), Math.max(0, ms))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
