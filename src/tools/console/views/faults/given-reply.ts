interface TypedReply {
  value: string
  headers: string
  body: string
}

export interface GivenReply {
  status: number
  headers?: Record<string, string | string[]>
  body?: unknown
}

/** Headers are lines `name: value`; a repeated name has several values. */
export function toGivenReply({ value, headers, body }: TypedReply): GivenReply {
  const given: Record<string, string | string[]> = {}
  for (const line of headers.split('\n').filter((each) => each.trim() !== '')) {
    const end = line.indexOf(':')
    const name = (end < 0 ? line : line.slice(0, end)).trim().toLowerCase()
    const text = end < 0 ? '' : line.slice(end + 1).trim()
    const before = given[name]
    given[name] = before === undefined ? text : [before, text].flat()
  }
  return {
    status: Number(value),
    ...(Object.keys(given).length > 0 && { headers: given }),
    ...(body !== '' && { body }),
  }
}

export function previewOf({ status, headers = {}, body }: GivenReply, name: string): string {
  const isOwn = body === undefined && status < 400
  const type = body === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' }
  const length = body === undefined ? {} : { 'content-length': String(new TextEncoder().encode(String(body)).length) }
  const sent = { ...type, ...headers, ...length, 'x-vendor-cloud-fault': name || 'the id of the fault' }
  const lines = Object.entries(sent).flatMap(([key, value]) => [value].flat().map((each) => `${key}: ${each}`))
  const rest = isOwn
    ? status === 204
      ? '(the work is done, and there is no body)'
      : "(the work is done, and the operation's own headers and body follow)"
    : (body ?? "(the document's own failure)")
  return `HTTP/1.1 ${status}\n${lines.join('\n')}\n\n${String(rest)}`
}
