/** Limits for a response, because another server may respond slowly or endlessly. */
export interface ReplyBounds {
  /** Maximum milliseconds until the first byte, and between later bytes. */
  patience: number
  /** Maximum milliseconds for the complete response, even if it arrives steadily. */
  longest: number
  bytes: number
  /** Real time in milliseconds since an arbitrary starting point. */
  timer(): number
}

const MINUTE = 60_000

export function createBounds(timer: ReplyBounds['timer']): ReplyBounds {
  return { patience: MINUTE / 2, longest: 2 * MINUTE, bytes: 256 * 1024 * 1024, timer }
}

/** Throws if the response exceeds a limit. The time that the reader takes does not count. */
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
    // Not awaited, because the pending read may never settle.
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
