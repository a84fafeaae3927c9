import type { HttpHeaders } from '#contract/exchange.ts'

/** Headers that concern a single connection, so proxies must not forward them (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** `raw` is a flat list in which names and values alternate. Also removes the headers in `others`. */
export function passingHeaders(raw: readonly string[], others: readonly string[] = []): string[] {
  const isName = (i: number, name: string) => i % 2 === 0 && raw[i]!.toLowerCase() === name
  const listed = raw.flatMap((value, i) =>
    i > 0 && isName(i - 1, 'connection') ? value.toLowerCase().split(/ *, */) : [],
  )
  return raw.filter((_, i) => {
    const name = raw[i - (i % 2)]!.toLowerCase()
    return !HOP_BY_HOP.has(name) && !listed.includes(name) && !others.includes(name)
  })
}

/** In undici, `raw` returns a list, but its types do not declare that. */
export function asSent(headers: unknown): string[] {
  return Array.isArray(headers) ? headers.map(String) : []
}

/** Returns the first value of a header. `name` must be in lower case. */
export function findHeader(raw: readonly string[], name: string): string | undefined {
  return raw.find((_, i) => i % 2 === 1 && raw[i - 1]!.toLowerCase() === name)
}

export function toHeaderFields(raw: readonly string[]): HttpHeaders {
  const fields: HttpHeaders = {}
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name, value] = [raw[i]!.toLowerCase(), raw[i + 1]!]
    const known = Object.hasOwn(fields, name) ? fields[name]! : undefined
    fields[name] = known === undefined ? value : [known, value].flat()
  }
  return fields
}
