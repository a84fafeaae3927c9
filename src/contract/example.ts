/** A request before it is written as a method and a path. */
export interface RequestDraft {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  headers?: Readonly<Record<string, string | undefined>>
  /** A text is sent as it is, all else as JSON. */
  body?: unknown
  /** Of an example: no fresh server knows this value, so the client must find it out first. */
  needs?: string
}

const web = (profile: string) => ({ 'request-source': 'vendor.com', 'vendorus-profId': profile })
const bearer = { authorization: 'Bearer token-home' }

const callers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: web('web-alice'),
  dealers: web('dealer-erin'),
  guests: { 'request-source': 'vendor.com' },
  anonymous: { 'request-source': 'vendor.com' },
  tokens: bearer,
  anyPage: bearer,
}

/** Undefined where samples of the parameters' schemas suffice, or nothing but a need is known. */
export function findExample({ scope, example }: { scope: string; example?: RequestDraft }): RequestDraft | undefined {
  const { needs, ...parts } = example ?? {}
  const isUnknown = Object.keys(parts).length === 0 && (needs !== undefined || !(scope in callers))
  return isUnknown ? undefined : { ...parts, headers: { ...callers[scope], ...parts.headers } }
}

/** `route` has the form `GET /subscriptions/:subscriptionId`. */
export function writeRequest(route: string, { params = {}, query = {}, headers = {}, body }: RequestDraft) {
  const [method = '', url = ''] = route.split(' ')
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  )
  // Placeholders stay readable, since their values become known later.
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
