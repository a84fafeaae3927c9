import { notWellFormed } from './soap-fault.ts'

/** Prefixes declared on one element; what is not here is looked up further out. */
export interface Scope {
  readonly declared: ReadonlyMap<string, string>
  readonly outer: Scope | undefined
}

export interface XmlAttribute {
  readonly namespace: string
  readonly name: string
  readonly value: string
}

/** As written: the name with its prefix. */
export type RawAttribute = readonly [qname: string, value: string]

const XML = 'http://www.w3.org/XML/1998/namespace'
const XMLNS = 'http://www.w3.org/2000/xmlns/'
const none: readonly never[] = []

export const outermost: Scope = { declared: new Map([['xml', XML]]), outer: undefined }

/** The scope within an element that has these attributes. */
export function openScope(raw: readonly RawAttribute[], outer: Scope): Scope {
  let declared: Map<string, string> | undefined
  for (const [qname, namespace] of raw) {
    if (!isDeclaration(qname)) continue
    const prefix = qname.slice(6)
    assertDeclaration(prefix, namespace)
    declared ??= new Map()
    if (declared.has(prefix)) throw notWellFormed('an attribute is repeated')
    declared.set(prefix, namespace)
  }
  return declared ? { declared, outer } : outer
}

/** The attributes that declare nothing; two of one namespace and name are refused, whatever their prefixes. */
export function toAttributes(raw: readonly RawAttribute[], scope: Scope): readonly XmlAttribute[] {
  let attributes: XmlAttribute[] | undefined
  for (const [qname, value] of raw) {
    if (isDeclaration(qname)) continue
    const [prefix, name] = splitName(qname)
    const namespace = prefix === '' ? '' : requireNamespace(scope, prefix)
    attributes ??= []
    attributes.push({ namespace, name, value })
  }
  if (!attributes) return none
  const names = new Set(attributes.map(({ namespace, name }) => `{${namespace}}${name}`))
  if (names.size < attributes.length) throw notWellFormed('an attribute is repeated')
  return attributes
}

export function requireNamespace(scope: Scope, prefix: string): string {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const namespace = at.declared.get(prefix)
    if (namespace !== undefined) return namespace
  }
  if (prefix === '') return ''
  throw notWellFormed('a prefix is not declared')
}

export function splitName(qname: string): readonly [prefix: string, name: string] {
  const colon = qname.indexOf(':')
  return colon < 0 ? ['', qname] : [qname.slice(0, colon), qname.slice(colon + 1)]
}

function isDeclaration(qname: string): boolean {
  return qname === 'xmlns' || qname.startsWith('xmlns:')
}

/** Namespaces in XML 1.0, section 3. */
function assertDeclaration(prefix: string, namespace: string): void {
  const emptied = prefix !== '' && namespace === ''
  const reserved = prefix === 'xmlns' || namespace === XMLNS || (prefix === 'xml') !== (namespace === XML)
  if (emptied || reserved) throw notWellFormed('a namespace declaration is not allowed')
}
