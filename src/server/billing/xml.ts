import { XMLParser } from 'fast-xml-parser'
import { beyondBounds, notWellFormed } from './soap-fault.ts'
import { FORBIDDEN, assertWellFormed } from './xml-guards.ts'

export interface XmlElement {
  readonly namespace: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly elements: readonly XmlElement[]
  /** The text, including CDATA. References are resolved. The text is not trimmed and not converted to a number. */
  readonly text: string
}

export type XmlAttribute = Readonly<{ namespace: string; name: string; value: string }>

/** By prefix, empty for the default namespace. Each scope has only its own declarations. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>
  readonly outer?: Scope
  readonly size: number
}
type Written = readonly [qname: string, value: string]

type Node = Readonly<Record<string, unknown> & { ':@'?: Record<string, string> }>
/** The first key of a node is its tag name, `#text` or `#cdata`. The second key contains the attributes. */
const keyOf = (node: Node) => Object.keys(node)[0]!

const XML = 'http://www.w3.org/XML/1998/namespace'
const XMLNS = 'http://www.w3.org/2000/xmlns/'
const outermost: Scope = {
  declared: new Map([
    ['', ''],
    ['xml', XML],
  ]),
  size: 2,
}
/** Our choice: maximum number of namespace prefixes that a message may declare. */
const MAX_PREFIXES = 100

/** With these prefixes, names such as `__proto__` have no special meaning in JavaScript. */
const [TAG, ATTRIBUTE] = ['<', '@']
/** References are resolved in this file. If no decoder were set, the parser would create a new one for each message. */
const entityDecoder = {
  decode: (text: string) => text,
  reset() {},
  setXmlVersion() {},
  addInputEntities() {},
  setExternalEntities() {},
}
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  // The parser calls this function twice for each self-closing tag.
  transformTagName: (name) => (name.startsWith(TAG) ? name : TAG + name),
  cdataPropName: '#cdata',
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  entityDecoder,
  jPath: false,
})

/** Parses a message and resolves namespaces, so that callers do not see prefixes. */
export function parseXml(message: string): XmlElement {
  const nodes = parser.parse(assertWellFormed(message)) as Node[]
  return toElement(nodes.find((node) => keyOf(node).startsWith(TAG))!, outermost)
}

function toElement(node: Node, outer: Scope): XmlElement {
  const tag = keyOf(node)
  const written = Object.entries(node[':@'] ?? {}).map(
    // White space in an attribute value becomes spaces, unless it was written as a character reference.
    ([name, value]): Written => [name.slice(ATTRIBUTE.length), resolveReferences(value.replace(/[\t\n]/g, ' '))],
  )
  const scope = openScope(written, outer)
  const elements: XmlElement[] = []
  let text = ''
  for (const child of node[tag] as Node[]) {
    const key = keyOf(child)
    if (key.startsWith(TAG)) elements.push(toElement(child, scope))
    else if (key === '#cdata') text += (child[key] as Node[])[0]!['#text']
    else text += resolveReferences(child[key] as string)
  }
  const { namespace = findNamespace('', scope)!, name } = resolveName(tag.slice(TAG.length), scope)
  return { namespace, name, attributes: written.length > 0 ? toAttributes(written, scope) : [], elements, text }
}

function openScope(written: readonly Written[], outer: Scope): Scope {
  if (written.length === 0) return outer
  const declared = written.filter(isDeclaration).map(([name, uri]): Written => [name.slice(6), uri])
  for (const [prefix, uri] of declared) {
    const isEmptied = prefix !== '' && uri === ''
    if (isEmptied || prefix === 'xmlns' || uri === XMLNS || (prefix === 'xml') !== (uri === XML)) {
      throw notWellFormed('a namespace declaration is not allowed')
    }
  }
  if (declared.length === 0) return outer
  const further = declared.filter(([prefix]) => findNamespace(prefix, outer) === undefined)
  const size = outer.size + further.length
  if (size > MAX_PREFIXES + outermost.size) throw beyondBounds(`more than ${MAX_PREFIXES} prefixes are declared`)
  return { declared: new Map(declared), outer, size }
}

/** Recursion is safe, because elements are nested at most 32 levels deep, and so are scopes. */
function findNamespace(prefix: string, { declared, outer }: Scope): string | undefined {
  return declared.get(prefix) ?? (outer && findNamespace(prefix, outer))
}

function toAttributes(written: readonly Written[], scope: Scope): XmlAttribute[] {
  const attributes = written
    .filter((each) => !isDeclaration(each))
    .map(([qname, value]) => ({ namespace: '', ...resolveName(qname, scope), value }))
  if (new Set(attributes.map(({ namespace, name }) => `{${namespace}}${name}`)).size < attributes.length) {
    throw notWellFormed('an attribute is repeated')
  }
  return attributes
}

function isDeclaration([name]: Written): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

/** An element without a prefix is in the default namespace, but an attribute without a prefix has no namespace. */
function resolveName(qname: string, scope: Scope): { namespace?: string; name: string } {
  const colon = qname.indexOf(':')
  if (colon < 0) return { name: qname }
  const namespace = findNamespace(qname.slice(0, colon), scope)
  if (namespace === undefined) throw beyondBounds(`the prefix ${qname.slice(0, Math.min(colon, 100))} is not declared`)
  return { namespace, name: qname.slice(colon + 1) }
}

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Document types are rejected, so only XML's five entities and character references exist. */
function resolveReferences(written: string): string {
  return written.includes('&') ? written.replace(REFERENCE, resolveReference) : written
}

function resolveReference(_: string, name?: string, decimal?: string, hexadecimal?: string): string {
  if (name) return named[name] ?? ''
  const point = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? '', 16)
  // If the reference has an unknown name, `point` is NaN.
  if (!(point <= 0x10ffff) || FORBIDDEN.test(String.fromCodePoint(point))) {
    throw notWellFormed('a reference is neither one of the five XML entities nor a valid character reference')
  }
  return String.fromCodePoint(point)
}
