import { notWellFormed } from './soap-fault.ts'
import { FORBIDDEN } from './xml-guards.ts'

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** There is no document type, so only XML's five references and those to characters exist; each is resolved once. */
export function resolveReferences(written: string): string {
  return written.includes('&') ? written.replace(REFERENCE, resolveReference) : written
}

function resolveReference(_: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name) return named[name] ?? ''
  const point = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
  // A name that is no reference has no code point.
  if (!(point <= 0x10ffff) || FORBIDDEN.test(String.fromCodePoint(point))) {
    throw notWellFormed('a reference is none of the five of XML, and none to a character that XML allows')
  }
  return String.fromCodePoint(point)
}
