import { XML_DECLARATION } from './charset.ts'
import { notWellFormed } from './soap-fault.ts'
import { skipQualifiedName, skipSpace } from './xml-names.ts'
import {
  openScope,
  outermost,
  type RawAttribute,
  requireNamespace,
  type Scope,
  splitName,
  toAttributes,
  type XmlAttribute,
} from './xml-scope.ts'
import { assertAllowedCharacters, readLines, resolveReferences } from './xml-text.ts'

export interface XmlElement {
  readonly namespace: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly elements: readonly XmlElement[]
  /** The element's own text, references resolved, CDATA included, nothing trimmed and nothing made a number. */
  readonly text: string
}

/** An element whose end tag has not been read. */
interface OpenElement {
  readonly qname: string
  readonly scope: Scope
  readonly element: XmlElement & { elements: XmlElement[]; text: string }
}

const MAX_LEVELS = 32
const none: readonly never[] = []
const [BANG, DOUBLE_QUOTE, SINGLE_QUOTE, SLASH, EQUALS, CLOSE, QUESTION] = [33, 34, 39, 47, 61, 62, 63]

/**
 * The root element of a message, namespaces resolved: no prefix means anything to the caller. Refuses all that is not
 * well-formed, document types and processing instructions as SOAP 1.1, section 3 demands, and more than 32 levels
 * (our choice). Ours and strict: fast-xml-parser takes unclosed tags and undeclared prefixes, and cost as much CPU as
 * the rest of a request.
 */
export function parseXml(text: string): XmlElement {
  assertAllowedCharacters(text)
  const open: OpenElement[] = []
  let root: XmlElement | undefined
  let at = skipDeclaration(text)
  while (at < text.length) {
    const tag = text.indexOf('<', at)
    const parent = open.at(-1)
    if (tag !== at) addText(parent, text.slice(at, tag < 0 ? text.length : tag))
    if (tag < 0) break
    const next = text.charCodeAt(tag + 1)
    if (next === SLASH) {
      at = closeElement(text, tag, open.pop())
    } else if (next === BANG) {
      at = readCommentOrCdata(text, tag, parent)
    } else if (next === QUESTION) {
      throw notWellFormed('processing instructions are not allowed')
    } else {
      if (!parent && root) throw notWellFormed('there is more than one root element')
      if (open.length >= MAX_LEVELS) throw notWellFormed(`more than ${MAX_LEVELS} levels of elements`)
      const started = openElement(text, tag + 1, parent?.scope ?? outermost)
      root ??= started.element
      parent?.element.elements.push(started.element)
      if (!started.isEmpty) open.push(started)
      at = started.end
    }
  }
  if (open.length > 0) throw notWellFormed('an element is not closed')
  if (!root) throw notWellFormed('the message holds no XML element')
  return root
}

function skipDeclaration(text: string): number {
  if (!/^<\?xml[ \t\r\n?]/.test(text)) return 0
  const declaration = XML_DECLARATION.exec(text)
  if (!declaration) throw notWellFormed('the XML declaration is not proper: only version 1.0 is')
  return declaration[0].length
}

/** From the element's name to behind its start tag. */
function openElement(text: string, at: number, outer: Scope): OpenElement & { isEmpty: boolean; end: number } {
  let end = skipQualifiedName(text, at)
  if (end === at) throw notWellFormed('a tag has no proper name')
  const qname = text.slice(at, end)
  let raw: RawAttribute[] | undefined
  let next = skipSpace(text, end)
  let code = text.charCodeAt(next)
  while (code !== CLOSE && code !== SLASH) {
    const nameEnd = skipQualifiedName(text, next)
    if (next === end || nameEnd === next) throw notWellFormed('the attributes or the end of a tag are not proper')
    const quote = requireQuote(text, nameEnd)
    end = requireValueEnd(text, quote)
    raw ??= []
    raw.push([text.slice(next, nameEnd), readValue(text.slice(quote + 1, end - 1))])
    next = skipSpace(text, end)
    code = text.charCodeAt(next)
  }
  const isEmpty = code === SLASH
  if (isEmpty && text.charCodeAt(next + 1) !== CLOSE) throw notWellFormed('a tag does not end properly')
  const scope = raw ? openScope(raw, outer) : outer
  const [prefix, name] = splitName(qname)
  const namespace = requireNamespace(scope, prefix)
  const element = { namespace, name, attributes: raw ? toAttributes(raw, scope) : none, elements: [], text: '' }
  return { qname, scope, element, isEmpty, end: next + (isEmpty ? 2 : 1) }
}

/** Where the value of an attribute begins: behind its name come an equals sign and a quote. */
function requireQuote(text: string, at: number): number {
  const equals = skipSpace(text, at)
  const quote = skipSpace(text, equals + 1)
  const code = text.charCodeAt(quote)
  if (text.charCodeAt(equals) !== EQUALS || (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE)) {
    throw notWellFormed('an attribute has no proper value')
  }
  return quote
}

function requireValueEnd(text: string, quote: number): number {
  const end = text.indexOf(text.charAt(quote), quote + 1)
  if (end < 0) throw notWellFormed('the value of an attribute does not end')
  return end + 1
}

function readValue(raw: string): string {
  if (raw.includes('<')) throw notWellFormed('an attribute holds a tag')
  return resolveReferences(/[\t\n\r]/.test(raw) ? raw.replace(/\r\n|[\t\n\r]/g, ' ') : raw)
}

function closeElement(text: string, at: number, open: OpenElement | undefined): number {
  if (open && text.startsWith(open.qname, at + 2)) {
    const close = skipSpace(text, at + 2 + open.qname.length)
    if (text.charCodeAt(close) === CLOSE) return close + 1
  }
  throw notWellFormed('an end tag does not close the open element')
}

function readCommentOrCdata(text: string, at: number, parent: OpenElement | undefined): number {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('--', at + 4)
    if (end < 0 || text[end + 2] !== '>') throw notWellFormed('a comment is not proper')
    return end + 3
  }
  if (parent && text.startsWith('<![CDATA[', at)) {
    const end = text.indexOf(']]>', at + 9)
    if (end < 0) throw notWellFormed('a CDATA section is not closed')
    parent.element.text += readLines(text.slice(at + 9, end))
    return end + 3
  }
  throw notWellFormed('document types and declarations are not allowed')
}

function addText(parent: OpenElement | undefined, raw: string): void {
  if (!parent) {
    if (skipSpace(raw, 0) < raw.length) throw notWellFormed('there is text outside the root element')
    return
  }
  if (raw.includes(']]>')) throw notWellFormed(']]> is not allowed in text')
  parent.element.text += resolveReferences(readLines(raw))
}
