import { isDeep } from '#contract/records/plain-values.ts'
import { passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpResponse } from '#contract/exchange.ts'
import { type Difference, diffTexts, diffValues, type Rules } from '../cases/structural-diff.ts'
import { readXml } from '../cases/xml-body.ts'
import { bounds } from '../client/options.ts'
import type { ReceivedResponse } from '../cases/player/request.ts'

export interface ReplyRules extends Pick<Rules, 'equal' | 'mapIds' | 'count'> {
  texts: boolean
}

/** If the statuses differ, only they are reported, because the bodies are not comparable. */
export function diffReplies(ours: ReceivedResponse, theirs: ReceivedResponse, rules: ReplyRules): Difference[] {
  const problems = [findProblem(ours), findProblem(theirs)]
  if (problems.some((problem) => problem !== undefined)) {
    rules.count?.()
    if (problems.every((problem) => problem !== undefined)) return []
    const [recorded = 'a whole reply', actual = 'a whole reply'] = problems
    return [{ path: 'reply', kind: 'error', recorded, actual }]
  }
  rules.count?.()
  if (ours.status !== theirs.status) {
    return [{ path: 'status', kind: 'status', recorded: ours.status, actual: theirs.status }]
  }
  const bodies = diffBodies(ours, theirs, rules)
  return [
    ...diffHeaders(ours.headers, theirs.headers, rules),
    ...(ours.status! >= 400 ? bodies.flatMap((each) => toRefusal(each, rules)) : bodies),
  ]
}

function findProblem({ status, cut, late, large }: ReceivedResponse): string | undefined {
  if (large) return `a response of more than ${bounds.bytes / 1024 / 1024} MB`
  if (late) return 'no complete response in time'
  if (status === undefined) return 'no reply'
  return cut ? 'a response that was cut off' : undefined
}

export function diffBodies(own: HttpResponse, other: HttpResponse, rules: Rules): Difference[] {
  const [path, ours, theirs] = ['body', readBody(own), readBody(other)]
  if (ours.form === 'none' && theirs.form === 'none') return []
  if (ours.form !== theirs.form || ours.form === 'text') rules.count?.()
  if (theirs.form === 'none') return [{ path, kind: 'missing', recorded: ours.value }]
  if (ours.form === 'none') return [{ path, kind: 'further', actual: theirs.value }]
  if (ours.form !== theirs.form) return [{ path, kind: 'type', recorded: ours.form, actual: theirs.form }]
  if (ours.form === 'text') {
    return diffTexts(path, String(ours.value), String(theirs.value), rules).map((each) => ({ ...each, path }))
  }
  // The order of elements in a SOAP response is part of its schema.
  return diffValues(path, ours.value, theirs.value, { ...rules, fieldOrder: ours.form === 'XML' })
}

/** Bodies are compared by content. Escapes, white space and XML prefixes are ignored. */
interface Body {
  form: 'none' | 'JSON' | 'XML' | 'text'
  value?: unknown
}

function readBody({ headers, body }: HttpResponse): Body {
  if (body === undefined || body === '') return { form: 'none' }
  const type = String(headers?.['content-type'] ?? '')
  if (/\bxml\b/i.test(type) || body.startsWith('<?xml')) {
    const xml = readXml(body)
    return xml ? { form: 'XML', ...xml } : { form: 'text', value: body }
  }
  try {
    const value: unknown = JSON.parse(body)
    return isDeep(value) ? { form: 'text', value: body } : { form: 'JSON', value }
  } catch {
    return { form: 'text', value: body }
  }
}

const WORDS = /(?:^|\.)(?:message|title|detail|error|reason|resultMessage|faultstring|errorMessage|body)$/
const CODES = /(?:^|\.)(?:code|type|resultCode|errorCode|faultcode)$/

/** vendor-cloud adds this field to findings to cite the violated rule. */
const OWN_FIELD = /(?:^|\.)(?:details|errors)\[\d+\]\.source$/

/** A different error code is a separate kind of difference. The wording counts only if `texts` is true. */
function toRefusal(difference: Difference, { texts }: ReplyRules): Difference[] {
  const { kind, path } = difference
  if (OWN_FIELD.test(path)) return []
  if (kind !== 'value') return [difference]
  if (CODES.test(path)) return [{ ...difference, kind: 'error' }]
  return WORDS.test(path) && !texts ? [] : [difference]
}

/** Headers that concern a connection, an encoding or a proxy do not affect how clients behave. */
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
/** vendor-cloud marks injected faults and cites rules with these headers. Vendors do not send them. */
const OWN = /^x-vendor-cloud-/
/** The values of these headers differ between servers, so only their presence is compared. */
const valueless = /^(?:etag|expires|last-modified|retry-after|ratelimit|ratelimit-.*|x-ratelimit-.*|x-request-id)$/

function diffHeaders(
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
  // Cookies are secret, so only their names are compared.
  if (name === 'set-cookie') return values.map((cookie) => cookie.split('=', 1)[0]).join(', ')
  const text = values.join(', ')
  if (name !== 'content-type') return text
  // JSON is always UTF-8, even without a charset parameter (RFC 8259, section 8.1).
  return text
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/^(application\/(?:[\w.+-]+\+)?json);charset="?utf-8"?$/, '$1')
}
