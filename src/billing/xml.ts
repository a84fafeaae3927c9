import { XMLParser } from 'fast-xml-parser'
import { notWellFormed } from './soap-fault.ts'
import { assertWellFormed } from './well-formed.ts'

export interface XmlElement {
  readonly namespace: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly elements: readonly XmlElement[]
  /** The element's own text, references resolved, CDATA included, nothing trimmed and nothing made a number. */
  readonly text: string
}

export interface XmlAttribute {
  readonly namespace: string
  readonly name: string
  readonly value: string
}

/** Prefixes declared on one element; what is not here is looked up further out. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>
  readonly outer: Scope | undefined
}

/** fast-xml-parser's ordered form: one key for the name, its children below, attributes under `:@`. */
type OrderedNode = Readonly<Record<string, string | readonly OrderedNode[]>>
type RawAttributes = Readonly<Record<string, string>>

const XML = 'http://www.w3.org/XML/1998/namespace'
const XMLNS = 'http://www.w3.org/2000/xmlns/'
const outermost: Scope = { declared: new Map([['xml', XML]]), outer: undefined }
const none: readonly never[] = []

/** We resolve references ourselves; the parser's own decoder would only be built anew for each message. */
const leaveReferences = {
  decode: (text: string) => text,
  reset: () => {},
  setExternalEntities: () => {},
  addInputEntities: () => {},
  setXmlVersion: () => {},
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  jPath: false,
  entityDecoder: leaveReferences,
})

/** The root element of a message, namespaces resolved: no prefix means anything to the caller. */
export function parseXml(text: string): XmlElement {
  assertWellFormed(text)
  const [root] = parseOrdered(text).filter((node) => node['#text'] === undefined)
  if (!root) throw notWellFormed('the message holds no XML element')
  return toElement(root, outermost)
}

/** For text and for attribute values. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\r\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function parseOrdered(text: string): readonly OrderedNode[] {
  try {
    return parser.parse(text)
  } catch (cause) {
    // Names such as `__proto__`, which the parser does not take.
    throw Object.assign(notWellFormed('an element or attribute has a name that is not allowed'), { cause })
  }
}

function toElement(node: OrderedNode, outer: Scope): XmlElement {
  let qname = ''
  for (const key in node) {
    if (key !== ':@') qname = key
  }
  const raw = node[':@'] as unknown as RawAttributes | undefined
  const scope = raw ? openScope(raw, outer) : outer
  const attributes = raw ? toAttributes(raw, scope) : none
  const elements: XmlElement[] = []
  let text = ''
  for (const child of node[qname] as readonly OrderedNode[]) {
    if (child['#text'] !== undefined) text += resolveReferences(child['#text'] as string)
    else if (child['#cdata'] !== undefined) text += cdataOf(child['#cdata'] as readonly OrderedNode[])
    else elements.push(toElement(child, scope))
  }
  const [prefix, name] = splitName(qname)
  return { namespace: requireNamespace(scope, prefix), name, attributes, elements, text }
}

function openScope(raw: RawAttributes, outer: Scope): Scope {
  let declared: Map<string, string> | undefined
  for (const key in raw) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue
    const prefix = key.slice(6)
    const namespace = resolveReferences(raw[key] ?? '')
    assertDeclaration(prefix, namespace)
    declared ??= new Map()
    declared.set(prefix, namespace)
  }
  return declared ? { declared, outer } : outer
}

/** Namespaces in XML 1.0, section 3. */
function assertDeclaration(prefix: string, namespace: string): void {
  const emptied = prefix !== '' && namespace === ''
  const reserved = prefix === 'xmlns' || namespace === XMLNS || (prefix === 'xml') !== (namespace === XML)
  if (emptied || reserved) throw notWellFormed('a namespace declaration is not allowed')
}

function toAttributes(raw: RawAttributes, scope: Scope): readonly XmlAttribute[] {
  const attributes: XmlAttribute[] = []
  const seen = new Set<string>()
  for (const key in raw) {
    if (key === 'xmlns' || key.startsWith('xmlns:')) continue
    const [prefix, name] = splitName(key)
    const namespace = prefix === '' ? '' : requireNamespace(scope, prefix)
    const expanded = `{${namespace}}${name}`
    if (seen.has(expanded)) throw notWellFormed('an attribute is repeated under another prefix')
    seen.add(expanded)
    attributes.push({ namespace, name, value: resolveReferences(raw[key] ?? '') })
  }
  return attributes
}

function requireNamespace(scope: Scope, prefix: string): string {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const namespace = at.declared.get(prefix)
    if (namespace !== undefined) return namespace
  }
  if (prefix === '') return ''
  throw notWellFormed('a prefix is not declared')
}

function splitName(qname: string): readonly [prefix: string, name: string] {
  const colon = qname.indexOf(':')
  return colon < 0 ? ['', qname] : [qname.slice(0, colon), qname.slice(colon + 1)]
}

function cdataOf(nodes: readonly OrderedNode[]): string {
  return nodes.map((node) => node['#text']).join('')
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function resolveReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([a-z]+|#\d+|#x[\da-fA-F]+);/g, (_, body: string) => {
    if (!body.startsWith('#')) return named[body] ?? ''
    const point = body.startsWith('#x') ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1))
    return String.fromCodePoint(point)
  })
}
