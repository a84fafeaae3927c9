import { REDACTED, saysWhoCalls } from '../records/secret-names.ts'
import { decodeText, encodePercent } from '../records/decoded-text.ts'
import { decodeAllInPieces, spellingsOf } from './hidden-text.ts'
import { replaceInPieces } from './long-texts.ts'
import { finish, type Work } from './long-work.ts'
import { type Change, mapNamedInPieces } from './named-secrets.ts'
import { isPlain, isRepeatable } from './secret-search.ts'

/** A plain word is secret only where it is named. */
type Find = (secret: string, isPlain: boolean) => unknown

/** Finds what names in a text, however it is spelt, tell of passwords, keys and cookies. Who calls is no secret. */
export function* findTold(text: string, find: Find): Work<void> {
  for (const part of partsOf(text)) {
    yield* findInPart(part, find)
    if (part !== text) yield
  }
}

/** Adds the secrets that can hardly mean anything else where they stand once more. */
export function findRepeatable(text: string, found: Set<string>): void {
  finish(findTold(text, (secret) => isRepeatable(secret) && found.add(secret)))
}

function* findInPart(text: string, find: Find): Work<void> {
  const change: Change = (secret, name) => {
    if (!saysWhoCalls(name)) find(secret, isPlain(secret))
    return secret
  }
  if (isFile(text)) return
  const plain = yield* decodeAllInPieces(text)
  if (!MAY_TELL.test(plain)) return
  const seen = new Set<string>()
  for (const each of plain === text ? [text] : spellingsOf(text)) {
    yield
    if (each === undefined || seen.has(each)) continue
    seen.add(each)
    yield* mapLayers(each, change)
  }
}

/** Who calls stays. */
export function* hideTold(text: string, markOf: (secret: string) => string): Work<string> {
  let hidden = ''
  for (const part of partsOf(text)) {
    hidden += yield* hideInPart(part, markOf)
    if (part !== text) yield
  }
  return hidden
}

/** For people, who are shown no secret: a text may be a form, JSON, XML, a header or a sentence. */
export function redactTold(text: string, isPublished: (secret: string) => boolean = () => false): string {
  if (!SIGN.test(text)) return text
  const redacted = finish(hideTold(text, (secret) => (isPublished(secret) ? secret : REDACTED)))
  return redacted === text ? text : redacted.replaceAll(ENCODED_MARK, REDACTED)
}

const ENCODED_MARK = encodeURIComponent(REDACTED)
/** One of these stands between a name and its secret, or begins a secret; most short texts have none. */
const SIGN = /[=:"'<]|[rR]\s|eyJ/

function* hideInPart(text: string, markOf: (secret: string) => string): Work<string> {
  if (isFile(text)) return text
  if (!MAY_TELL.test(text) && !(text.includes('%') && MAY_TELL.test(yield* decodeAllInPieces(text)))) return text
  return yield* mapLayers(text, (secret, name) => (saysWhoCalls(name) ? secret : markOf(secret)))
}

/** Each name and sign of a secret holds one of these; most long texts have none, and are looked through but once. */
export const MAY_TELL = new RegExp(
  String.raw`assert|auth|bearer|cert|cookie|cred|csrf|cvc|cvv|dpop|jwt|key|otp|output|pass|pin|pwd|secret|sess|sid|` +
    String.raw`sig|token|xsrf|eyJ|:\/\/[^\s/@"'<>]{1,300}@`,
  'i',
)

/** A form's files stand beside its fields, and hold no names. */
const LARGEST_FIELD = 65_536
const partsOf = (text: string) => (text.length > LARGEST_FIELD ? text.split(/(?=\r\n--)/) : [text])
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const isFile = (text: string) => text.length > LARGEST_FIELD && /[\u0000-\u0008\u000e-\u001f]/.test(text)

const LAYERS = 3
const ENCODED = /(?<==)[^=&#\s"'<>]*%[0-9a-f]{2}[^=&#\s"'<>]*/gi
const MARK = /%7B%7Btoken%3A(\d+)%7D%7D/g

/** An address within an address is encoded once more, and so is what takes the place of a secret's surroundings. */
function* mapLayers(text: string, change: Change, layers = LAYERS): Work<string> {
  const mapped = yield* mapNamedInPieces(text, change)
  if (layers === 0 || !mapped.includes('%')) return mapped
  return yield* replaceInPieces(mapped, ENCODED, ({ text: value }) => mapEncoded(value, change, layers - 1))
}

function* mapEncoded(value: string, change: Change, layers: number): Work<string> {
  const decoded = decodeText(value)
  const inner = decoded === value ? value : yield* mapLayers(decoded, change, layers)
  return inner === decoded ? value : encodePercent(inner).replace(MARK, '{{token:$1}}')
}
