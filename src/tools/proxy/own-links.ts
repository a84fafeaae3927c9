import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { findHeader } from './raw-headers.ts'

/** A larger response is not a record with links, so it passes unchanged. */
const LONGEST_WITH_LINKS = 1024 * 1024
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i

export type OwnLinks = NonNullable<ReturnType<typeof createOwnLinks>>

/**
 * Links in the upstream's replies name the host that the client knows, so that following one comes back by the proxy.
 * Undefined when the client already knows the upstream by its own name.
 */
export function createOwnLinks(upstream: URL, own: string) {
  if (upstream.origin === own && upstream.pathname === '/') return undefined
  const [host = '', base = ''] = [upstream.host, upstream.pathname.replace(/\/$/, '')].map(escapePattern)
  // JSON may escape its slashes as \/. A link outside the path of the upstream stays, because the proxy leads nowhere
  // else.
  const slashed = base.replaceAll('/', '\\\\?/')
  const link = new RegExp(`https?:(\\\\?/)(\\\\?/)${host}(?![\\w.:-])${slashed}(?![\\w.-])`, 'gi')
  const relative = new RegExp(`(^|<)${base}(?:/|(?=[?#>]|$))`, 'g')
  const cookiePath = new RegExp(`(;\\s*path=)${base}(?:/|(?=;|$))`, 'i')
  const shorten = (value: string, path: RegExp) => (base === '' ? value : value.replace(path, '$1/'))
  const [scheme = '', name = ''] = own.split('//')
  const change = (text: string) =>
    text.replace(link, (_, first: string, second: string) => `${scheme}${first}${second}${name}`)
  return {
    /** These headers replace the client's. */
    asked(headers: IncomingHttpHeaders): Record<string, string> {
      const back = (value: unknown) => String(value).replaceAll(own, upstream.origin)
      return Object.fromEntries(
        ['origin', 'referer'].flatMap((each) => (each in headers ? [[each, back(headers[each])]] : [])),
      )
    },
    /** Takes and gives names and values in turn. */
    answered: (raw: readonly string[]): string[] =>
      raw.map((value, i) => {
        const header = i % 2 === 0 ? '' : raw[i - 1]!.toLowerCase()
        if (header === 'set-cookie') return shorten(value.replace(/;\s*domain=[^;]*/i, ''), cookiePath)
        if (header === 'access-control-allow-origin') return value.replaceAll(upstream.origin, own)
        return ['location', 'content-location', 'link'].includes(header) ? shorten(change(value), relative) : value
      }),
    change(bytes: Buffer): Buffer {
      // Latin-1 maps each byte to one letter, so bytes of any encoding survive.
      const text = bytes.toString('latin1')
      const changed = change(text)
      return changed === text ? bytes : Buffer.from(changed, 'latin1')
    },
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** A reply that was cut off reaches the client as far as it came, and is cut off there too. */
export async function changeLinks(
  links: OwnLinks,
  raw: readonly string[],
  pieces: AsyncGenerator<Buffer>,
  method: string | undefined,
): Promise<{ raw: readonly string[]; pieces: AsyncIterable<Buffer> }> {
  const answered = links.answered(raw)
  if (method === 'HEAD' || !mayHaveLinks(raw)) return { raw: answered, pieces }
  const { bytes, isComplete, failure } = await gather(pieces)
  const changed = isComplete ? links.change(bytes) : bytes
  async function* again() {
    if (changed.length > 0) yield changed
    if (failure !== undefined) {
      // A reset would also drop the bytes that were written just before.
      await setImmediate()
      throw failure
    }
    if (!isComplete) yield* pieces
  }
  return { raw: changed === bytes ? answered : withLength(answered, changed.length), pieces: again() }
}

function mayHaveLinks(raw: readonly string[]): boolean {
  const [type, coding, length] = ['type', 'encoding', 'length'].map((each) => findHeader(raw, `content-${each}`))
  return coding === undefined && TEXT.test(type ?? '') && Number(length ?? 0) <= LONGEST_WITH_LINKS
}

/** Gathers pieces until they exceed the size in which links are changed. */
async function gather(pieces: AsyncGenerator<Buffer>) {
  const first: Buffer[] = []
  try {
    for (let size = 0; size <= LONGEST_WITH_LINKS; size += first.at(-1)!.length) {
      const { done, value } = await pieces.next()
      if (done) return { bytes: Buffer.concat(first), isComplete: true }
      first.push(value)
    }
    return { bytes: Buffer.concat(first), isComplete: false }
  } catch (failure) {
    return { bytes: Buffer.concat(first), isComplete: false, failure }
  }
}

function withLength(raw: readonly string[], length: number): string[] {
  return raw.map((value, i) => (i % 2 === 1 && raw[i - 1]!.toLowerCase() === 'content-length' ? String(length) : value))
}
