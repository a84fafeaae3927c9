import { decodeText } from '../records/decoded-text.ts'
import { soundsSecret } from '../records/secret-names.ts'
import { findInPieces, type Piece, replaceInPieces, rewriteInPieces } from './long-texts.ts'
import type { Work } from './long-work.ts'

/** A text that ends within counts as closed. */
export const JSON_TEXT = String.raw`"(?<json>(?:[^"\\]|\\.)*)(?:"|\\?$)`
/** Without the white space around it, in time that grows as its length. */
export const CONTENT = String.raw`(?<value>[^<>\s](?:[^<>]*[^<>\s])?)`
export const QUOTE = String.raw`\\{0,7}["']`
/** Texts in quotes may stand in a text in quotes, whose quotes stand behind backslashes. */
export const QUOTED_LETTER = String.raw`(?:[^"'\\\r\n]|\\+[^"'\\]|(?!\k<q>)\\*["'])`

const HOLDER = new RegExp(String.raw`(?<q>${QUOTE})(?<name>[^"'\\\r\n]{1,100})\k<q>\s{0,9}:\s{0,9}(?=[[{])`, 'g')
const QUOTED_TEXT = String.raw`(?<q>${QUOTE})(?<value>${QUOTED_LETTER}*)(?:\k<q>|\\*(?=[\r\n]|$))`
const PART = new RegExp(String.raw`[[\]{}]|${JSON_TEXT}|${QUOTED_TEXT}|(?<![\w.-])(?<number>\d{4,})`, 'g')
/** Elements within an element; those of a comment or of CDATA count when they are decoded. */
const PARENT = /<(?<tag>(?:[\w.-]{1,100}:)?(?<name>[\w.-]{1,100}))(?:\s[^<>]{0,1000})?>\s{0,99}(?=<[\w.:-])/g
const IN_ELEMENT = new RegExp(String.raw`>\s*${CONTENT}`, 'g')
const IS_KEY = /\s{0,9}:/y

/**
 * An object or a list below a name that tells of a secret holds nothing else; `change` is told the nearest name. A text
 * that ends within counts as closed.
 */
export function mapHeld(text: string, change: (value: string, name: string) => string): Work<string> {
  return rewriteInPieces(text, HOLDER, function* ({ index, text: holder, groups }) {
    const [quote, name] = [groups['q']!, decodeText(groups['name']!)]
    if (!soundsSecret(name)) return undefined
    const at = index + holder.length
    return { at, ...(yield* mapBlock(text.slice(at), { quote, name }, change)) }
  })
}

function* mapBlock(
  text: string,
  holder: { quote: string; name: string },
  change: (value: string, name: string) => string,
): Work<Omit<Piece, 'at'>> {
  let [mapped, end, depth, name] = ['', 0, 0, holder.name]
  for (const found of findInPieces(text, PART)) {
    if (!found) {
      yield
      continue
    }
    const { index, text: part, groups } = found
    const { json, number, q, value = json ?? number } = groups
    const behind = index + part.length
    const quote = q ?? (json === undefined ? holder.quote : '"')
    // The text in quotes that holds all of this ends here.
    if (quote.length < holder.quote.length) return { instead: mapped + text.slice(end, index), length: index }
    if (value === undefined) depth += part === '[' || part === '{' ? 1 : -1
    else if (isKey(text, behind)) name = decodeText(value)
    else if (value !== '') {
      const at = number === undefined ? index + quote.length : index
      mapped += text.slice(end, at) + change(value, name)
      end = at + value.length
    }
    if (depth === 0) return { instead: mapped + text.slice(end, behind), length: behind }
  }
  return { instead: mapped + text.slice(end), length: text.length }
}

/** An element that is not closed holds the rest. */
export function mapParents(text: string, change: (value: string, name: string) => string): Work<string> {
  return rewriteInPieces(text, PARENT, function* ({ index, text: open, groups }) {
    const name = groups['name']!
    if (!soundsSecret(name)) return undefined
    const at = index + open.length
    const close = text.indexOf(`</${groups['tag']}`, at)
    const content = text.slice(at, close < 0 ? text.length : close)
    const instead = yield* replaceInPieces(content, IN_ELEMENT, ({ text: part, groups: { value } }) => {
      return part.slice(0, part.length - value!.length) + change(value!, name)
    })
    return { at, length: content.length, instead }
  })
}

function isKey(text: string, at: number): boolean {
  IS_KEY.lastIndex = at
  return IS_KEY.test(text)
}
