import { XML_DECLARATION } from './charset.ts'
import { notWellFormed } from './soap-fault.ts'
import { skipQualifiedName, skipSpace } from './xml-names.ts'

const REFERENCE = /&(?:amp|lt|gt|quot|apos|#(\d{1,7})|#x([\da-fA-F]{1,6}));/y
const PLAIN = /^[\t\n\r -~]*$/
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const MAX_LEVELS = 32
const [BANG, DOUBLE_QUOTE, SINGLE_QUOTE, SLASH, EQUALS, CLOSE, QUESTION] = [33, 34, 39, 47, 61, 62, 63]

/**
 * Refuses what fast-xml-parser lets through: unclosed and crossed tags, bad names, repeated attributes, bad references,
 * several roots, text around the root, forbidden characters. Document types and processing instructions are refused
 * as SOAP 1.1, section 3 demands, more than 32 levels by our choice. One pass, no tree.
 */
export function assertWellFormed(text: string): void {
  if (!PLAIN.test(text) && FORBIDDEN.test(text)) throw notWellFormed('the message holds a character that XML forbids')
  const open: string[] = []
  let at = skipDeclaration(text)
  let roots = 0
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    const end = tag < 0 ? text.length : tag
    if (end > at) assertCharacterData(text, at, end, open.length > 0)
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
      at = openElement(text, tag + 1, open)
    }
  }
  if (open.length > 0) throw notWellFormed('an element is not closed')
  if (roots === 0) throw notWellFormed('the message holds no XML element')
}

function skipDeclaration(text: string): number {
  if (!/^<\?xml[ \t\r\n?]/.test(text)) return 0
  const declaration = XML_DECLARATION.exec(text)
  if (!declaration) throw notWellFormed('the XML declaration is not proper: only version 1.0 is')
  return declaration[0].length
}

/** From the element's name to behind its start tag. */
function openElement(text: string, at: number, open: string[]): number {
  let end = skipQualifiedName(text, at)
  if (end === at) throw notWellFormed('a tag has no proper name')
  if (open.length >= MAX_LEVELS) throw notWellFormed(`more than ${MAX_LEVELS} levels of elements`)
  const name = text.slice(at, end)
  const attributes: string[] = []
  for (;;) {
    const next = skipSpace(text, end)
    const code = text.charCodeAt(next)
    if (code === CLOSE) {
      open.push(name)
      end = next + 1
      break
    }
    if (code === SLASH && text.charCodeAt(next + 1) === CLOSE) {
      end = next + 2
      break
    }
    const nameEnd = skipQualifiedName(text, next)
    if (next === end || nameEnd === next) throw notWellFormed('the attributes or the end of a tag are not proper')
    attributes.push(text.slice(next, nameEnd))
    end = skipAttributeValue(text, nameEnd)
  }
  if (attributes.length > 1 && new Set(attributes).size < attributes.length) {
    throw notWellFormed('an attribute is repeated')
  }
  return end
}

function skipAttributeValue(text: string, at: number): number {
  const equals = skipSpace(text, at)
  const quote = skipSpace(text, equals + 1)
  const code = text.charCodeAt(quote)
  const end = code === DOUBLE_QUOTE || code === SINGLE_QUOTE ? text.indexOf(text.charAt(quote), quote + 1) : -1
  if (text.charCodeAt(equals) !== EQUALS || end < 0) throw notWellFormed('an attribute has no proper value')
  const value = text.slice(quote + 1, end)
  if (value.includes('<')) throw notWellFormed('an attribute holds a tag')
  assertReferences(value)
  return end + 1
}

function closeElement(text: string, at: number, open: string[]): number {
  const name = open.pop()
  if (name === undefined || !text.startsWith(name, at + 2)) {
    throw notWellFormed('an end tag does not close the open element')
  }
  const close = skipSpace(text, at + 2 + name.length)
  if (text.charCodeAt(close) !== CLOSE) throw notWellFormed('an end tag does not close the open element')
  return close + 1
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

function assertCharacterData(text: string, from: number, to: number, inside: boolean): void {
  if (!inside && skipSpace(text, from) < to) throw notWellFormed('there is text outside the root element')
  const data = text.slice(from, to)
  if (data.includes(']]>')) throw notWellFormed(']]> is not allowed in text')
  assertReferences(data)
}

function assertReferences(data: string): void {
  for (let at = data.indexOf('&'); at >= 0; at = data.indexOf('&', at + 1)) {
    REFERENCE.lastIndex = at
    const found = REFERENCE.exec(data)
    if (!found) throw notWellFormed('a reference is not one of the five of XML or a character reference')
    const [, decimal, hexadecimal] = found
    if (!decimal && !hexadecimal) continue
    const point = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
    if (point > 0x10ffff || FORBIDDEN.test(String.fromCodePoint(point))) {
      throw notWellFormed('a character reference names a character that XML forbids')
    }
  }
}
