export interface RequestDraft {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string | undefined>>
  /** A string is sent unchanged, and any other value is sent as JSON. */
  body?: unknown
  /** A value that the client must first get from another request. */
  needs?: string
}

const web = (profile: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': profile })
const bearer = { authorization: 'Bearer token-home' }

const callers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: web('web-alice'),
  dealers: web('dealer-erin'),
  guests: web('web-alice'),
  anonymous: { 'request-source': 'vendor.com' },
  tokens: bearer,
  anyPage: bearer,
}

/** Returns undefined if the example has only `needs`, or if it is empty and the scope has no example caller. */
export function findExample({ scope, example }: { scope: string; example?: RequestDraft }): RequestDraft | undefined {
  const { needs, ...parts } = example ?? {}
  const isUnknown = Object.keys(parts).length === 0 && (needs !== undefined || !(scope in callers))
  return isUnknown ? undefined : { ...parts, headers: { ...callers[scope], ...parts.headers } }
}

export function writeRequest(route: string, { params = {}, query = {}, headers = {}, body }: RequestDraft) {
  const [method = '', url = ''] = route.split(' ')
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  )
  // Placeholders such as {{timeSlot}} must not be percent-encoded.
  const asked = search.toString().replace(/%7B%7B(\w+)%7D%7D/g, '{{$1}}')
  const filled = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? 'unknown'))
  const type = body !== undefined && typeof body !== 'string' ? { 'content-type': 'application/json' } : {}
  const sent = Object.entries({ ...type, ...headers }).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return {
    method,
    path: asked === '' ? filled : `${filled}?${asked}`,
    headers: Object.fromEntries(sent),
    ...(body !== undefined && { body }),
  }
}
