import { passingCallHeaders, serverHeaders } from '../../../../contract/cases/passing-headers.ts'
import { REDACTED } from '../../../../contract/records/secret-names.ts'
import type { Entry } from '../../types.ts'

/** Only the browser's own requests need these headers. */
const fromBrowsers = /^(sec-|accept-language$|referer$|cache-control$|pragma$|dnt$|upgrade-insecure-requests$)/
/** The journal knows the caller, so these hidden values can be restored. */
const identity = /^vendorus-(guid|profid)$/

export interface Sent {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: string | undefined
  /** The journal keeps no files. */
  hasFile: boolean
}

/** The caller's name is restored; other secrets stay as the journal has them. */
export function toSent({ method = 'GET', path = '/', query, request, caller }: Entry): Sent {
  const { headers = {}, body } = request ?? {}
  const hasFile = headers['content-type']?.startsWith('multipart/') ?? false
  const kept = Object.entries(headers).filter(
    ([name, value]) =>
      !(
        passingCallHeaders.has(name) ||
        serverHeaders.has(name) ||
        fromBrowsers.test(name) ||
        (name === 'accept' && value === '*/*')
      ) && !(hasFile && name === 'content-type'),
  )
  return {
    method,
    path: query === undefined ? path : `${path}?${query}`,
    headers: kept.map(([name, value]) => [name, identity.test(name) && caller !== undefined ? caller : value]),
    body: hasFile || body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    hasFile,
  }
}

/** Each secret that the journal hides is asked for once. */
export function secretsOf(sent: Sent): string[] {
  const names = new Set<string>()
  mapTexts(sent, (text) =>
    fill(text, (name) => {
      names.add(name)
      return ''
    }),
  )
  if (sent.hasFile) names.add('FILE')
  return [...names]
}

export function withSecrets(sent: Sent, secrets: Readonly<Record<string, string>>): Sent {
  return mapTexts(sent, (text) => fill(text, (name) => secrets[name] ?? ''))
}

function mapTexts(sent: Sent, map: (text: string) => string): Sent {
  return {
    ...sent,
    path: map(sent.path),
    headers: sent.headers.map(([name, value]) => [name, map(`${name}: ${value}`).slice(name.length + 2)]),
    body: sent.body === undefined ? undefined : map(sent.body),
  }
}

/** A secret is named by the text before it, such as `key=` or `"secret":"`. */
function fill(text: string, secretFor: (name: string) => string): string {
  return split(text)
    .map(({ plain, secret }) => plain + (secret === undefined ? '' : secretFor(secret)))
    .join('')
}

export interface Piece {
  plain: string
  secret: string | undefined
}

/** `before` is the text in front. */
export function split(text: string, before = ''): Piece[] {
  const pieces = text.split(REDACTED)
  return pieces.map((plain, index) => ({
    plain,
    secret: index < pieces.length - 1 ? toName(index === 0 ? before + plain : plain) : undefined,
  }))
}

function toName(before: string): string {
  const name = /([\w-]{1,40})(?:"?\s?[:=]\s?"?|>)$/.exec(before.slice(-60))?.[1] ?? 'SECRET'
  return name.toUpperCase().replaceAll('-', '_')
}
