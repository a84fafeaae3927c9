import { notWellFormed } from './soap-fault.ts'

const PLAIN = /^[\t\n\r -~]*$/
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Control characters, lone surrogates and noncharacters: XML 1.0, section 2.2. */
export function assertAllowedCharacters(text: string): void {
  if (!PLAIN.test(text) && FORBIDDEN.test(text)) throw notWellFormed('the message holds a character that XML forbids')
}

/** Line ends as XML means them. */
export function readLines(raw: string): string {
  return raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
}

/** References are resolved once; only the five of XML and character references are any: there is no document type. */
export function resolveReferences(raw: string): string {
  return raw.includes('&') ? raw.replace(REFERENCE, resolveReference) : raw
}

/** For text and for attribute values. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function resolveReference(_: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name) return named[name] ?? ''
  const point = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
  // What is no reference at all has no code point either.
  if (!(point <= 0x10ffff) || FORBIDDEN.test(String.fromCodePoint(point))) {
    throw notWellFormed('a reference is none of the five of XML, and none to a character that XML allows')
  }
  return String.fromCodePoint(point)
}
