import { XML_DECLARATION } from './message-body.ts'
import { beyondBounds, notWellFormed, type SoapFault } from './soap-fault.ts'

const MAX_LEVELS = 32
/** Maximum number of elements. A call has only a few, and thousands of elements would block the event loop. */
const MAX_ELEMENTS = 1000
const MAX_ATTRIBUTES = 1000
const PLAIN = /^[\t\n\r -~]*$/
export const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
const S = '[ \\t\\r\\n]'

/** Matches in only one way, so takes linear time. Groups: name and attributes, slash, end tag, text, comment. */
function createToken(start: string, more: string, flags: string): RegExp {
  const local = `[${start}][${start}\\-0-9.${more}]*`
  const name = `${local}(?::${local})?`
  const attributes = `(?:${S}+${name}${S}*=${S}*(?:"[^<"]*"|'[^<']*'))*`
  const tags = `<(${name})(${attributes})${S}*(/)?>|</(${name})${S}*>`
  return new RegExp(`${tags}|([^<]+)|(<!--(?:[^-]|-[^-])*-->)|<!\\[CDATA\\[[^]*?\\]\\]>`, flags)
}

const plainToken = createToken('A-Z_a-z', '', 'y')
const anyToken = createToken(
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F' +
    '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}',
  '\\u00B7\\u0300-\\u036F\\u203F-\\u2040',
  'yu',
)
const VALUE = /"[^"]*"|'[^']*'/g

/**
 * Rejects what fast-xml-parser accepts although XML or SOAP 1.1, section 3, forbids it. Our choice: also rejects more
 * than 32 levels, 1,000 elements or 1,000 attributes.
 */
export function assertWellFormed(message: string): string {
  const isPlain = PLAIN.test(message)
  if (!isPlain && FORBIDDEN.test(message)) throw notWellFormed('the message contains a character that XML forbids')
  const content = message.slice(lengthOfDeclaration(message))
  const open: string[] = []
  let [elements, attributes] = [0, 0]
  const token = isPlain ? plainToken : anyToken
  for (token.lastIndex = 0; token.lastIndex < content.length; ) {
    const at = token.lastIndex
    const found = token.exec(content)
    if (!found) throw describeToken(content.slice(at))
    const [, start, written, isEmpty, end, text, comment] = found
    if (start !== undefined) {
      if (open.length === 0 && elements > 0) throw notWellFormed('there is more than one root element')
      if (open.length >= MAX_LEVELS) throw beyondBounds(`more than ${MAX_LEVELS} levels of elements`)
      if (++elements > MAX_ELEMENTS) throw beyondBounds(`more than ${MAX_ELEMENTS} elements`)
      if (written) attributes += countAttributes(written)
      if (attributes > MAX_ATTRIBUTES) throw beyondBounds(`more than ${MAX_ATTRIBUTES} attributes`)
      if (!isEmpty) open.push(start)
    } else if (end !== undefined) {
      const opened = open.pop() ?? 'an element'
      if (opened !== end) throw notWellFormed(`the end tag of ${cut(end)} does not close ${cut(opened)}`)
    } else if (open.length === 0 && !comment && text?.trim() !== '') {
      throw notWellFormed('there is text outside the root element')
    } else if (text?.includes(']]>')) {
      throw notWellFormed(']]> is not allowed in text')
    }
  }
  if (open.length > 0) throw notWellFormed(`the element ${cut(open.at(-1)!)} is not closed`)
  if (elements === 0) throw notWellFormed('the message contains no XML element')
  return content
}

const cut = (name: string) => name.slice(0, 100)

function describeToken(rest: string): SoapFault {
  if (/^<\?(?!xml[\s?])/.test(rest)) return beyondBounds('a processing instruction is not allowed')
  if (/^<!DOCTYPE/i.test(rest)) return beyondBounds('a document type (DOCTYPE) is not allowed')
  return notWellFormed(nameCause(rest))
}

function nameCause(rest: string): string {
  if (rest.startsWith('<?')) return 'the XML declaration is not at the very beginning of the message'
  if (rest.startsWith('<!--')) return rest.includes('-->', 4) ? 'a comment contains --' : 'a comment is not closed'
  if (rest.startsWith('<![CDATA[')) return 'a CDATA section is not closed'
  const [tag = ''] = /^<(?:"[^"]*"|'[^']*'|[^"'>])*/.exec(rest) ?? []
  if (tag.length === rest.length) return 'a tag is not closed'
  const bare = tag.replace(VALUE, '"')
  if (/=\s*[^\s"']/.test(bare)) return 'the value of an attribute is not in quotes'
  if (/<[^<]*</.test(tag)) return 'an attribute or a tag contains <'
  return 'a tag is malformed. Check its name, its attributes and the spaces between them'
}

function lengthOfDeclaration(message: string): number {
  if (!/^<\?xml[ \t\r\n?]/.test(message)) return 0
  const declaration = XML_DECLARATION.exec(message)
  if (!declaration) throw notWellFormed('the XML declaration is not valid. Use version 1.0')
  return declaration[0].length
}

function countAttributes(written: string): number {
  const names = written.replace(VALUE, '').match(/[^\s=]+/g) ?? []
  if (new Set(names).size < names.length) throw notWellFormed('an attribute is repeated')
  return names.length
}
