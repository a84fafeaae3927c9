import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { findHeader } from './raw-headers.ts'

/** Maximum bytes of a response whose links are rewritten. A larger one is unlikely to be a record with links. */
const LONGEST_WITH_LINKS = 1024 * 1024
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i

export type OwnLinks = NonNullable<ReturnType<typeof createOwnLinks>>

/** Makes clients follow links through the proxy. Undefined if the client uses the upstream's own URL. */
export function createOwnLinks(upstream: URL, own: string) {
  if (upstream.origin === own && upstream.pathname === '/') return undefined
  const [host = '', base = ''] = [upstream.host, upstream.pathname.replace(/\/$/, '')].map(escapePattern)
  // JSON may escape slashes as \/. The proxy does not forward requests for links outside the upstream's path.
  const slashed = base.replaceAll('/', '\\\\?/')
  const link = new RegExp(`https?:(\\\\?/)(\\\\?/)${host}(?![\\w.:-])${slashed}(?![\\w.-])`, 'gi')
  const relative = new RegExp(`(^|<)${base}(?:/|(?=[?#>]|$))`, 'g')
  const cookiePath = new RegExp(`(;\\s*path=)${base}(?:/|(?=;|$))`, 'i')
  const shorten = (value: string, path: RegExp) => (base === '' ? value : value.replace(path, '$1/'))
  const [scheme = '', name = ''] = own.split('//')
  const change = (text: string) =>
    text.replace(link, (_, first: string, second: string) => `${scheme}${first}${second}${name}`)
  return {
    asked(headers: IncomingHttpHeaders): Record<string, string> {
      const back = (value: unknown) => String(value).replaceAll(own, upstream.origin)
      return Object.fromEntries(
        ['origin', 'referer'].flatMap((each) => (each in headers ? [[each, back(headers[each])]] : [])),
      )
    },
    /** Accepts and returns a flat list in which header names and values alternate. */
    answered: (raw: readonly string[]): string[] =>
      raw.map((value, i) => {
        const header = i % 2 === 0 ? '' : raw[i - 1]!.toLowerCase()
        if (header === 'set-cookie') return shorten(value.replace(/;\s*domain=[^;]*/i, ''), cookiePath)
        if (header === 'access-control-allow-origin') return value.replaceAll(upstream.origin, own)
        return ['location', 'content-location', 'link'].includes(header) ? shorten(change(value), relative) : value
      }),
    change(bytes: Buffer): Buffer {
      // Latin-1 maps each byte to one character, so text in any encoding is preserved.
      const text = bytes.toString('latin1')
      const changed = change(text)
      return changed === text ? bytes : Buffer.from(changed, 'latin1')
    },
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** If the upstream's response is cut off, forwards all bytes up to that point and then cuts off the response. */
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
      // A reset would discard the bytes that were just written.
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
