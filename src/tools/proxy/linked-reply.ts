import { setImmediate } from 'node:timers/promises'
import { LONGEST_WITH_LINKS, type OwnLinks } from './own-links.ts'

/** `raw` has names and values in turn. */
export interface PassedReply {
  raw: readonly string[]
  pieces: AsyncIterable<Buffer>
}

/** A reply that was cut off reaches the client as far as it came, and is cut off there too. */
export async function changeLinks(
  links: OwnLinks,
  raw: readonly string[],
  pieces: AsyncGenerator<Buffer>,
  method: string | undefined,
): Promise<PassedReply> {
  const answered = links.answered(raw)
  if (method === 'HEAD' || !links.takes(raw)) return { raw: answered, pieces }
  const { bytes, isWhole, failure } = await gather(pieces)
  const changed = isWhole ? links.change(bytes) : bytes
  async function* again() {
    if (changed.length > 0) yield changed
    if (failure !== undefined) {
      // A reset would also drop the bytes that were written just before.
      await setImmediate()
      throw failure
    }
    if (!isWhole) yield* pieces
  }
  return { raw: changed === bytes ? answered : withLength(answered, changed.length), pieces: again() }
}

/** Gathers pieces until they exceed the size in which links are changed. */
async function gather(pieces: AsyncGenerator<Buffer>) {
  const first: Buffer[] = []
  try {
    for (let size = 0; size <= LONGEST_WITH_LINKS; size += first.at(-1)!.length) {
      const { done, value } = await pieces.next()
      if (done) return { bytes: Buffer.concat(first), isWhole: true }
      first.push(value)
    }
    return { bytes: Buffer.concat(first), isWhole: false }
  } catch (failure) {
    return { bytes: Buffer.concat(first), isWhole: false, failure }
  }
}

function withLength(raw: readonly string[], length: number): string[] {
  return raw.map((value, i) => (i % 2 === 1 && raw[i - 1]!.toLowerCase() === 'content-length' ? String(length) : value))
}
