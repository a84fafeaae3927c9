import { findHeader } from './raw-headers.ts'

/** A longer reply is no record with links, so it passes unchanged. */
export const LONGEST_WITH_LINKS = 1024 * 1024
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i

/**
 * Links in the upstream's replies name the host that the client knows, so that following one comes back by the proxy.
 */
export interface OwnLinks {
  /** These headers replace the client's own. */
  asked(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string>
  /** Takes and gives names and values in turn. */
  answered(raw: readonly string[]): string[]
  takes(raw: readonly string[]): boolean
  change(bytes: Buffer): Buffer
}

/** Gives nothing when the client already knows the upstream by its own name. */
export function createOwnLinks(upstream: URL, own: string): OwnLinks | undefined {
  if (upstream.origin === own && upstream.pathname === '/') return undefined
  const [host = '', base = ''] = [upstream.host, upstream.pathname.replace(/\/$/, '')].map(escapePattern)
  // JSON may write its slashes as \/. A link beside the upstream's path stays: the proxy leads nowhere else.
  const slashed = base.replaceAll('/', '\\\\?/')
  const link = new RegExp(`https?:(\\\\?/)(\\\\?/)${host}(?![\\w.:-])${slashed}(?![\\w.-])`, 'gi')
  const relative = new RegExp(`(^|<)${base}(?:/|(?=[?#>]|$))`, 'g')
  const cookiePath = new RegExp(`(;\\s*path=)${base}(?:/|(?=;|$))`, 'i')
  const shorten = (value: string, path: RegExp) => (base === '' ? value : value.replace(path, '$1/'))
  const [scheme = '', name = ''] = own.split('//')
  const change = (text: string) =>
    text.replace(link, (_, first: string, second: string) => `${scheme}${first}${second}${name}`)
  return {
    asked(headers) {
      const back = (value: unknown) => String(value).replaceAll(own, upstream.origin)
      return Object.fromEntries(
        ['origin', 'referer'].flatMap((each) => (each in headers ? [[each, back(headers[each])]] : [])),
      )
    },
    answered: (raw) =>
      raw.map((value, i) => {
        const header = i % 2 === 0 ? '' : raw[i - 1]!.toLowerCase()
        if (header === 'set-cookie') return shorten(value.replace(/;\s*domain=[^;]*/i, ''), cookiePath)
        if (header === 'access-control-allow-origin') return value.replaceAll(upstream.origin, own)
        return ['location', 'content-location', 'link'].includes(header) ? shorten(change(value), relative) : value
      }),
    takes(raw) {
      const [type, coding, length] = ['type', 'encoding', 'length'].map((each) => findHeader(raw, `content-${each}`))
      return coding === undefined && TEXT.test(type ?? '') && Number(length ?? 0) <= LONGEST_WITH_LINKS
    },
    change(bytes) {
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
