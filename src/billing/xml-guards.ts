import { XML_DECLARATION } from './charset.ts'
import { notWellFormed } from './soap-fault.ts'

const MAX_LEVELS = 32
const PLAIN = /^[\t\n\r -~]*$/
export const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

const START =
  'A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C-\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const LOCAL = `[${START}][${START}\\-0-9.\\u00B7\\u0300-\\u036F\\u203F-\\u2040]*`
const NAME = `${LOCAL}(?::${LOCAL})?`
const S = '[ \\t\\r\\n]'
const ATTRIBUTE = `${S}+(NAME)${S}*=${S}*(?:"[^<"]*"|'[^<']*')`
const ATTRIBUTES = `(?:${ATTRIBUTE.replace('(NAME)', NAME)})*`
const COMMENT = '<!--(?:[^-]|-[^-])*-->'
const CDATA = '<!\\[CDATA\\[[^]*?\\]\\]>'

const NO_TOKEN =
  'a tag, comment or CDATA section is not proper; document types and processing instructions are not allowed'

/** Everything that a message may consist of; no part can be read in two ways, so that no text makes it slow. */
const token = new RegExp(
  `</(?<end>${NAME})${S}*>|<(?<start>${NAME})(?<attributes>${ATTRIBUTES})${S}*(?<empty>/)?>|` +
    `(?<comment>${COMMENT})|(?<cdata>${CDATA})|(?<text>[^<]+)`,
  'yu',
)
const attribute = new RegExp(ATTRIBUTE.replace('NAME', NAME), 'gu')

/**
 * The message behind its XML declaration. Refuses what fast-xml-parser takes and XML or SOAP 1.1, section 3 does not:
 * tags that are not closed or cross, document types, processing instructions, control characters, repeated attributes.
 * More than 32 levels are refused too: our choice.
 */
export function assertWellFormed(message: string): string {
  if (!PLAIN.test(message) && FORBIDDEN.test(message)) {
    throw notWellFormed('the message holds a character that XML forbids')
  }
  const content = message.slice(lengthOfDeclaration(message))
  const open: string[] = []
  let hasRoot = false
  for (token.lastIndex = 0; token.lastIndex < content.length; ) {
    const { groups } = token.exec(content) ?? {}
    if (!groups) throw notWellFormed(NO_TOKEN)
    const { start, end, text } = groups
    if (start !== undefined) {
      if (open.length === 0 && hasRoot) throw notWellFormed('there is more than one root element')
      if (open.length >= MAX_LEVELS) throw notWellFormed(`more than ${MAX_LEVELS} levels of elements`)
      hasRoot = true
      if (groups['attributes']) assertNoneRepeated(groups['attributes'])
      if (!groups['empty']) open.push(start)
    } else if (end !== undefined) {
      if (open.pop() !== end) throw notWellFormed('an end tag does not close the open element')
    } else if (open.length === 0 && !groups['comment'] && text?.trim() !== '') {
      throw notWellFormed('there is text outside the root element')
    } else if (text?.includes(']]>')) {
      throw notWellFormed(']]> is not allowed in text')
    }
  }
  if (open.length > 0) throw notWellFormed('an element is not closed')
  if (!hasRoot) throw notWellFormed('the message holds no XML element')
  return content
}

function lengthOfDeclaration(message: string): number {
  if (!/^<\?xml[ \t\r\n?]/.test(message)) return 0
  const declaration = XML_DECLARATION.exec(message)
  if (!declaration) throw notWellFormed('the XML declaration is not proper: only version 1.0 is')
  return declaration[0].length
}

function assertNoneRepeated(attributes: string): void {
  const names = [...attributes.matchAll(attribute)].map(([, name]) => name)
  if (new Set(names).size < names.length) throw notWellFormed('an attribute is repeated')
}
