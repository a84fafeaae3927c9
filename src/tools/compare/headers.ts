import { passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpResponse } from '#contract/exchange.ts'
import type { Difference, Rules } from '../cases/structural-diff.ts'

/** Clients decide nothing by headers of a connection, a coding or a relay. */
const passing: ReadonlySet<string> = new Set([
  ...passingReplyHeaders,
  'age',
  'alt-svc',
  'content-encoding',
  'content-language',
  'server',
  'vary',
  'via',
  'x-powered-by',
])
/** Our server marks provoked failures by these headers; no vendor has them. */
const OWN = /^x-vendor-cloud-/
/** These values are each server's own, so only their presence is compared. */
const valueless = /^(?:etag|expires|last-modified|retry-after|ratelimit|ratelimit-.*|x-ratelimit-.*|x-request-id)$/

export function diffHeaders(
  ours: HttpResponse['headers'],
  theirs: HttpResponse['headers'],
  { equal = Object.is, count = () => {} }: Rules,
): Difference[] {
  const [recorded, actual] = [toCompared(ours), toCompared(theirs)]
  return [...new Set([...recorded.keys(), ...actual.keys()])].flatMap((name) => {
    count()
    const [before, after] = [recorded.get(name), actual.get(name)]
    if (before !== undefined && after !== undefined) {
      if (valueless.test(name) || equal(before, after, `headers.${name}`)) return []
    }
    return [{ path: `headers.${name}`, kind: 'header' as const, recorded: before, actual: after }]
  })
}

function toCompared(headers: HttpResponse['headers'] = {}): Map<string, string> {
  const compared = new Map<string, string>()
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase()
    if (passing.has(name) || OWN.test(name)) continue
    compared.set(name, normalize(name, [value].flat()))
  }
  return compared
}

function normalize(name: string, values: readonly string[]): string {
  // Cookies are secrets: their names alone are compared.
  if (name === 'set-cookie') return values.map((cookie) => cookie.split('=', 1)[0]).join(', ')
  const text = values.join(', ')
  if (name !== 'content-type') return text
  // JSON is UTF-8 whether it says so or not (RFC 8259, section 8.1).
  return text
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/^(application\/(?:[\w.+-]+\+)?json);charset="?utf-8"?$/, '$1')
}
