import { REDACTED, secretPattern, soundsSecret } from '../../contract/records/secret-names.ts'
import { decodeEscapes } from '../../contract/cases/hidden-text.ts'
import { redactTold } from '../../contract/cases/told-secrets.ts'
import { decodeText } from '../../contract/records/decoded-text.ts'

const secretWord = new RegExp(`(?<![A-Za-z0-9])(?:${secretPattern})(?![A-Za-z0-9])`, 'i')

/** Parameters are looked for in any text, since an address may stand within an address. */
const parameter = /([?&#;])([^=?&#;\s"'<>]{1,200})=([^&#\s"'<>]*)/g
/** A value may be encoded several times; deeper layers are not looked into. */
const LAYERS = 3

/** What the fixtures publish is no secret, whatever its name is. */
export type IsPublished = (text: string) => boolean

const nothing: IsPublished = () => false

export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  isPublished = nothing,
): Record<string, string> {
  const show = ([name, value]: [string, string]) => [
    name,
    // Some headers, such as referer, hold addresses.
    !soundsSecret(name) ? redactText(value, isPublished) : isShown(value, isPublished) ? value : REDACTED,
  ]
  return Object.fromEntries(Object.entries(headers).map(show))
}

/** A bearer stands behind its scheme, and a cookie behind its name. */
function isShown(value: string, isPublished: IsPublished): boolean {
  if (isPublished(value.replace(/^bearer +/i, ''))) return true
  return value.split(/; */).every((pair) => isPublished(pair.replace(/^[\w-]+="?|"$/g, '')))
}

/** The query is given without its question mark. */
export function redactQuery(query: string, isPublished = nothing): string {
  return redactText(`?${query}`, isPublished).slice(1)
}

/** The path is given without its query. No path of ours is encoded, so an encoded one may hold anything. */
export function redactPath(path: string): string {
  if (path.includes('%') && hidesSecret(path, nothing, LAYERS)) return redactText(decodeText(path))
  // A segment may have parameters (RFC 3986, section 3.3).
  return path.includes('=') ? redactText(path) : path
}

export function redactText(text: string, isPublished = nothing): string {
  return redactTold(redactParameters(text, isPublished), isPublished)
}

/** Names count as they read when decoded, so that encoding a name hides no secret. */
function redactParameters(text: string, isPublished: IsPublished, layers = LAYERS): string {
  if (!text.includes('=')) return text
  return text.replace(parameter, (given, sign: string, name: string, value: string) => {
    const isSecret = soundsSecret(decodeText(name)) && !isPublished(decodeText(value))
    return isSecret || hidesSecret(value, isPublished, layers) ? `${sign}${name}=${REDACTED}` : given
  })
}

/** Tokens and keys are drawn as letters with digits. */
const drawn = /(?<!\w)(?=\w*\d)(?=\w*[A-Za-z])\w{20,}(?!\w)/g

/** Text that leaves this machine also loses whatever has the shape of a token. */
export function redactDrawn(text: string): string {
  return redactText(text).replace(drawn, REDACTED)
}

/** Only the names of a query are told. */
export function redactValues(query: string): string {
  const parts = query.split('&').map((part) => part.replace(/=.*$/s, `=${REDACTED}`))
  return redactDrawn(parts.join('&'))
}

/** An address within an address is encoded once more. */
function hidesSecret(value: string, isPublished: IsPublished, layers: number): boolean {
  let text = value
  for (let left = layers; left > 0; left--) {
    const decoded = decodeText(text)
    if (decoded === text) return false
    if (redactParameters(decoded, isPublished, left - 1) !== decoded) return true
    text = decoded
  }
  return false
}

/** The number of characters that a long body is cut to. */
export interface Space {
  left: number
}

/** A field with a secret's name loses all that it holds, and whatever exceeds `space` is cut. */
export function redactBody(value: unknown, space: Space, isPublished = nothing): unknown {
  if (space.left <= 0) return CUT
  space.left -= 2
  if (typeof value === 'string') {
    const text = value.slice(0, space.left)
    space.left -= text.length
    return redactText(text, isPublished) + (text.length < value.length ? CUT : '')
  }
  if (Array.isArray(value)) return redactList(value, space, isPublished)
  if (typeof value !== 'object' || value === null) return value
  return redactFields(value as Record<string, unknown>, space, isPublished)
}

function redactFields(value: Readonly<Record<string, unknown>>, space: Space, isPublished: IsPublished): object {
  const kept: [string, unknown][] = []
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue
    if (name.length > space.left) {
      kept.push([CUT, CUT])
      break
    }
    space.left -= name.length
    const field = value[name]
    const sounds = isSecretField(name, field) || (name === 'value' && isSecretField(nameBeside(value), field))
    const isSecret = sounds && !(typeof field === 'string' && isPublished(field))
    kept.push([name, isSecret ? REDACTED : redactBody(field, space, isPublished)])
  }
  return Object.fromEntries(kept)
}

/** A yes or no is no secret, and neither is how many there are: `"tokens": 5`. */
function isSecretField(name: string, field: unknown): boolean {
  if (field === null || typeof field === 'boolean') return false
  return soundsSecret(name) && !(typeof field === 'number' && name.endsWith('s'))
}

/** Archives and webhooks list headers as objects with a name and a value. */
function nameBeside({ name, key }: Readonly<Record<string, unknown>>): string {
  return [name, key].find((each) => typeof each === 'string') ?? ''
}

function redactList(list: readonly unknown[], space: Space, isPublished: IsPublished): unknown[] {
  const kept: unknown[] = []
  for (const each of list) {
    kept.push(redactBody(each, space, isPublished))
    if (space.left <= 0) break
  }
  return kept
}

export const CUT = '[cut]'

const fieldName = /(?<![\w.-])[\w.-]{2,100}(?=["']?\s{0,9}[:=>])/g

function findSounding(text: string): number {
  for (const { 0: name, index } of text.matchAll(fieldName)) {
    if (soundsSecret(name)) return index
  }
  return -1
}

/** A body that cannot be parsed may spell anything in any way, so it is cut at the first name of a secret. */
export function redactUnreadable(text: string): string {
  // Letters of UTF-16 that is read as UTF-8 stand between zeros.
  const plain = decodeEscapes(decodeText(text.replaceAll('\u0000', '')))
  const at = [plain.search(secretWord), findSounding(plain)].filter((place) => place >= 0)
  return at.length === 0 ? redactText(text) : redactText(plain.slice(0, Math.min(...at))) + REDACTED
}
