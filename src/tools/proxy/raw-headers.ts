/** Those that are about one connection alone (RFC 9110, section 7.6.1), and what a proxy answers by itself. */
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

/** Names and values in turn, as they were sent, without those that are about their connection. */
export function passingHeaders(raw: readonly string[], replaced: Readonly<Record<string, string>> = {}): string[] {
  const isName = (i: number, name: string) => i % 2 === 0 && raw[i]!.toLowerCase() === name
  const listed = raw.flatMap((value, i) =>
    i > 0 && isName(i - 1, 'connection') ? value.toLowerCase().split(/ *, */) : [],
  )
  return raw.filter((_, i) => {
    const name = raw[i - (i % 2)]!.toLowerCase()
    return !HOP_BY_HOP.has(name) && !listed.includes(name) && !(name in replaced)
  })
}

/** By their names in lower case, those that came several times as lists. */
export function toHeaderFields(raw: readonly string[]): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {}
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name, value] = [raw[i]!.toLowerCase(), raw[i + 1]!]
    const known = Object.hasOwn(fields, name) ? fields[name]! : undefined
    fields[name] = known === undefined ? value : [known, value].flat()
  }
  return fields
}
