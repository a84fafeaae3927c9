import { isSecretName, REDACTED, secretPattern, soundsSecret } from '../../contract/records/secret-names.ts'
import { decodeEscapes } from '../../contract/cases/hidden-text.ts'
import { decodeText } from '../../contract/records/decoded-text.ts'

const secretWord = new RegExp(`(?<![A-Za-z0-9])(?:${secretPattern})(?![A-Za-z0-9])`, 'i')

/** Parameters in any text: of an address, or of one within an address. */
const parameter = /([?&#;])([^=?&#;\s"'<>]{1,200})=([^&#\s"'<>]*)/g
/** How often one value may be encoded within another to be looked into. */
const LAYERS = 3

export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    // Addresses stand in some of them, such as referer.
    Object.entries(headers).map(([name, value]) => [name, soundsSecret(name) ? REDACTED : redactText(value)]),
  )
}

/** A query without its question mark. */
export function redactQuery(query: string): string {
  return redactText(`?${query}`).slice(1)
}

/** An address without its query; one that is encoded is none of ours, and may hold anything. */
export function redactPath(path: string): string {
  return path.includes('%') && hidesSecret(path, LAYERS) ? redactText(decodeText(path)) : path
}

/** Any text in which parameters may stand: names count as they are once they are decoded. */
export function redactText(text: string, layers = LAYERS): string {
  if (!text.includes('=')) return text
  return text.replace(parameter, (given, sign: string, name: string, value: string) =>
    soundsSecret(decodeText(name)) || hidesSecret(value, layers) ? `${sign}${name}=${REDACTED}` : given,
  )
}

/** Letters with digits, as tokens and keys are drawn. */
const drawn = /(?<!\w)(?=\w*\d)(?=\w*[A-Za-z])\w{20,}(?!\w)/g

/** For what leaves this machine: what has the shape of a token is hidden too, whatever it is called. */
export function redactDrawn(text: string): string {
  return redactText(text).replace(drawn, REDACTED)
}

/** A query of which the names are told alone. */
export function redactValues(query: string): string {
  const parts = query.split('&').map((part) => part.replace(/=.*$/s, `=${REDACTED}`))
  return redactDrawn(parts.join('&'))
}

/** An address within an address is encoded once more. */
function hidesSecret(value: string, layers: number): boolean {
  let text = value
  for (let left = layers; left > 0; left--) {
    const decoded = decodeText(text)
    if (decoded === text) return false
    if (redactText(decoded, left - 1) !== decoded) return true
    text = decoded
  }
  return false
}

/** The length to which a body is cut that is too long to be shown whole, in characters. */
export interface Space {
  left: number
}

/** A body as it was parsed: fields with a secret's name lose their value; what no longer fits into `space` is cut. */
export function redactBody(value: unknown, space: Space): unknown {
  if (space.left <= 0) return CUT
  space.left -= 2
  if (typeof value === 'string') {
    const text = value.slice(0, space.left)
    space.left -= text.length
    return redactText(text) + (text.length < value.length ? CUT : '')
  }
  if (Array.isArray(value)) return redactList(value, space)
  if (typeof value !== 'object' || value === null) return value
  const kept: [string, unknown][] = []
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue
    if (name.length > space.left) {
      kept.push([CUT, CUT])
      break
    }
    space.left -= name.length
    const field = (value as Record<string, unknown>)[name]
    const isSecret = typeof field === 'string' ? soundsSecret(name) : isSecretName(name) && field !== null
    kept.push([name, isSecret ? REDACTED : redactBody(field, space)])
  }
  return Object.fromEntries(kept)
}

function redactList(list: readonly unknown[], space: Space): unknown[] {
  const kept: unknown[] = []
  for (const each of list) {
    kept.push(redactBody(each, space))
    if (space.left <= 0) break
  }
  return kept
}

/** Stands where a body was cut. */
export const CUT = '[cut]'

/** A body that cannot be parsed: from the first name of a secret on nothing is sure, however it is spelt. */
export function redactUnreadable(text: string): string {
  const plain = decodeEscapes(decodeText(text))
  const at = plain.search(secretWord)
  return at < 0 ? redactText(text) : redactText(plain.slice(0, at)) + REDACTED
}
