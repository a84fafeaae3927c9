/** What stands in the place of a secret. */
const REDACTED = '[redacted]'

const secretHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'vendorus-guid',
  'vendorus-profid',
  'partnercode',
  'x-control-key',
])
const secretNames = new Set(['secret', 'token', 'accesstoken', 'servicetoken', 'key', 'partnercode'])
const secretParameters = /([?&](?:key|token|accessToken|prof_id)=)[^&#\s"'<]+/gi
/** Elements of document 3 that hold a secret or a service token, as text, CDATA or with comments in between. */
const secretElements = /(<(?:[\w.-]{1,64}:)?(?:secret|serviceToken)(?:\s[^<>]{0,500})?>)(?:[^<]|<!)*/gi
const tokenReply = /(<output>)[A-Za-z0-9]{96}(?=<\/output>)/

export function redactHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      // Addresses stand in some of them, such as referer.
      secretHeaders.has(name) ? REDACTED : redactText(String(value)),
    ]),
  )
}

/** A query string, an address or any other text that may hold one, and SOAP envelopes. */
export function redactText(text: string): string {
  return text
    .replace(secretParameters, `$1${REDACTED}`)
    .replace(secretElements, `$1${REDACTED}`)
    .replace(tokenReply, `$1${REDACTED}`)
}

/** A body as it was sent or parsed: fields with a secret's name lose their value, texts what they hold of secrets. */
export function redactBody(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redactBody)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      secretNames.has(name.toLowerCase()) && typeof each === 'string' ? REDACTED : redactBody(each),
    ]),
  )
}
