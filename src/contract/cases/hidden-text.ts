import { decodePercent } from '../records/decoded-text.ts'
import { replaceInPieces } from './long-texts.ts'
import { finish, type Work } from './long-work.ts'
import { plainSlashes } from './plain-slashes.ts'

/** A value may be encoded several times; deeper layers are not looked into. */
const LAYERS = 3
const MAY_HIDE = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\\/|&#|<[!?]/i
/** JSON within JSON doubles the backslash; four layers have fifteen. */
const ESCAPED = /\\{1,15}u(?<json>[0-9a-f]{4})|&#x0*(?<hexadecimal>[0-9a-f]{1,6});|&#0*(?<decimal>\d{1,7});/gi
const ENCODED = /(?:%[0-9a-f]{2})+/gi
const UNRESERVED = /(?:%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e))+/gi

/**
 * Takes away percent-encoding, escapes of JSON and XML, CDATA, comments and processing instructions, which could hide a
 * secret.
 */
export function decodeAll(text: string): string {
  return MAY_HIDE.test(text) ? finish(decodeAllInPieces(text)) : text
}

export function* decodeAllInPieces(text: string): Work<string> {
  if (!MAY_HIDE.test(text)) return text
  let decoded = text
  for (let left = LAYERS; left > 0; left--) decoded = yield* decodeBytes(decoded)
  const plain = without('<?', '?>', without('<!--', '-->', yield* decodeEscapesInPieces(decoded)))
  return plain.replace(/<!\[CDATA\[|\]\]>/g, '')
}

/** A plus stays, since it is a space in a form alone. */
function* decodeBytes(text: string): Work<string> {
  return text.includes('%') ? yield* replaceInPieces(text, ENCODED, ({ text: bytes }) => decodePercent(bytes)) : text
}

export function decodeEscapes(text: string): string {
  return finish(decodeEscapesInPieces(text))
}

function* decodeEscapesInPieces(text: string): Work<string> {
  return yield* replaceInPieces(plainSlashes(text), ESCAPED, ({ text: given, groups }) => {
    const { json, hexadecimal, decimal } = groups
    const point = decimal === undefined ? Number.parseInt(json ?? hexadecimal!, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : given
  })
}

/** All spellings mean the same, from the nearest one on; the last one hides nothing. Gives nothing for a rest. */
export function* spellingsOf(text: string, message?: string): Generator<string | undefined> {
  yield text
  if (message !== undefined) yield message
  yield plainSlashes(text)
  const json = rewriteJson(text)
  if (json !== undefined) yield json
  // RFC 3986, section 6.2.2.2: what needs no percent-encoding means the same without it.
  yield yield* replaceInPieces(text, UNRESERVED, ({ text: code }) => decodeURIComponent(code))
  yield yield* decodeAllInPieces(text)
}

function rewriteJson(text: string): string | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The search is linear: a comment or instruction that is not closed runs to the end of the text. */
function without(start: string, end: string, text: string): string {
  const [first = '', ...rest] = text.split(start)
  return rest.reduce((plain, part) => {
    const at = part.indexOf(end)
    return at < 0 ? plain : plain + part.slice(at + end.length)
  }, first)
}
