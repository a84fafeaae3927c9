import { XML_DECLARATION } from './charset.ts'
import { notWellFormed } from './soap-fault.ts'

const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const NAME = `[${START}][${START}0-9.\\u00B7\\u0300-\\u036F\\u203F-\\u2040-]*`
const QNAME = `${NAME}(?::${NAME})?`
const S = '[ \\t\\r\\n]'

const START_TAG = new RegExp(`<(${QNAME})`, 'yu')
const ATTRIBUTE = new RegExp(`${S}+(${QNAME})${S}*=${S}*("[^"<]*"|'[^'<]*')`, 'yu')
const TAG_CLOSE = new RegExp(`${S}*(/?)>`, 'y')
const END_TAG = new RegExp(`</(${QNAME})${S}*>`, 'yu')
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#(\d{1,7})|#x([\da-fA-F]{1,6}));/y
const BLANK = /^[ \t\r\n]*$/
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const MAX_LEVELS = 32

/**
 * Refuses what fast-xml-parser lets through: unclosed and crossed tags, bad names, repeated attributes, bad references,
 * several roots, text around the root, forbidden characters. Document types and processing instructions are refused
 * as SOAP 1.1, section 3 demands, more than 32 levels by our choice. One pass, no tree.
 */
export function assertWellFormed(text: string): void {
  if (FORBIDDEN.test(text)) throw notWellFormed('the message holds a character that XML forbids')
  const open: string[] = []
  let at = skipDeclaration(text)
  let roots = 0
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    const end = tag < 0 ? text.length : tag
    if (end > at) assertCharacterData(text.slice(at, end), open.length > 0)
    if (tag < 0) break
    const next = text.charCodeAt(tag + 1)
    if (next === SLASH) {
      at = closeElement(text, tag, open)
    } else if (next === BANG) {
      at = skipCommentOrCdata(text, tag, open.length > 0)
    } else if (next === QUESTION) {
      throw notWellFormed('processing instructions are not allowed')
    } else {
      if (open.length === 0 && roots++ > 0) throw notWellFormed('there is more than one root element')
      at = openElement(text, tag, open)
    }
  }
  if (open.length > 0) throw notWellFormed('an element is not closed')
  if (roots === 0) throw notWellFormed('the message holds no XML element')
}

const SLASH = 47
const BANG = 33
const QUESTION = 63

function skipDeclaration(text: string): number {
  if (!/^<\?xml[ \t\r\n?]/.test(text)) return 0
  const declaration = XML_DECLARATION.exec(text)
  if (!declaration) throw notWellFormed('the XML declaration is not proper: only version 1.0 is')
  return declaration[0].length
}

function openElement(text: string, at: number, open: string[]): number {
  const start = matchAt(START_TAG, text, at)
  if (!start) throw notWellFormed('a tag has no proper name')
  let end = START_TAG.lastIndex
  const names: string[] = []
  for (let found = matchAt(ATTRIBUTE, text, end); found; found = matchAt(ATTRIBUTE, text, end)) {
    end = ATTRIBUTE.lastIndex
    names.push(found[1] ?? '')
    assertReferences(found[2] ?? '')
  }
  if (names.length > 1 && new Set(names).size < names.length) throw notWellFormed('an attribute is repeated')
  const close = matchAt(TAG_CLOSE, text, end)
  if (!close) throw notWellFormed('the attributes or the end of a tag are not proper')
  if (open.length >= MAX_LEVELS) throw notWellFormed(`more than ${MAX_LEVELS} levels of elements`)
  if (close[1] === '') open.push(start[1] ?? '')
  return TAG_CLOSE.lastIndex
}

function closeElement(text: string, at: number, open: string[]): number {
  const found = matchAt(END_TAG, text, at)
  if (!found || found[1] !== open.pop()) throw notWellFormed('an end tag does not close the open element')
  return END_TAG.lastIndex
}

function skipCommentOrCdata(text: string, at: number, inside: boolean): number {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('--', at + 4)
    if (end < 0 || text[end + 2] !== '>') throw notWellFormed('a comment is not proper')
    return end + 3
  }
  if (inside && text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at + 9)
    if (end < 0) throw notWellFormed('a CDATA section is not closed')
    return end + 3
  }
  throw notWellFormed('document types and declarations are not allowed')
}

function assertCharacterData(data: string, inside: boolean): void {
  if (!inside && !BLANK.test(data)) throw notWellFormed('there is text outside the root element')
  if (data.includes(']]>')) throw notWellFormed(']]> is not allowed in text')
  assertReferences(data)
}

function assertReferences(data: string): void {
  for (let at = data.indexOf('&'); at >= 0; at = data.indexOf('&', at + 1)) {
    const found = matchAt(REFERENCE, data, at)
    if (!found) throw notWellFormed('a reference is not one of the five of XML or a character reference')
    const [, decimal, hexadecimal] = found
    const point = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : SLASH
    if (point > 0x10ffff || FORBIDDEN.test(String.fromCodePoint(point))) {
      throw notWellFormed('a character reference names a character that XML forbids')
    }
  }
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}
