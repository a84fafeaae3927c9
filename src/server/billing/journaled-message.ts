import { REDACTED, soundsSecret } from '../../contract/records/secret-names.ts'
import { redactTold } from '../../contract/cases/told-secrets.ts'
import { parseXml, type XmlElement } from './xml.ts'
import { escapeXml } from './envelope.ts'

/**
 * A message without secrets stands as it was sent; any other is written anew from its parsed form, so that no spelling
 * hides a secret. `kept` leaves secrets in for a caller that hides them. Gives nothing for a message that cannot be
 * parsed.
 */
export function readMessageForJournal(text: string, secrets?: 'kept'): { body: string; fields?: unknown } | undefined {
  try {
    const root = parseXml(text)
    // Comments may hold anything, secrets included.
    const isPlain = secrets === undefined && !hasSecret(root) && !text.includes('<!')
    const body = isPlain ? text : writeElement(root, '', secrets)
    const call = root.elements.find(({ name }) => name === 'Body')?.elements[0]
    return { body, ...(call && { fields: toFields(call, secrets) }) }
  } catch {
    return undefined
  }
}

/** The inputs stand beneath the call, by their local names. */
function toFields(call: XmlElement, secrets: 'kept' | undefined): Record<string, unknown> {
  const inputs = toObject(call, secrets)
  return typeof inputs === 'string' ? { [call.name]: inputs } : { ...inputs, [call.name]: inputs }
}

function toObject(element: XmlElement, secrets: 'kept' | undefined): string | Record<string, unknown> {
  if (secrets !== 'kept' && isSecret(element)) return REDACTED
  if (element.elements.length === 0) return secrets === 'kept' ? element.text : redactTold(element.text)
  return Object.fromEntries(element.elements.map((child) => [child.name, toObject(child, secrets)]))
}

function hasSecret(element: XmlElement): boolean {
  const { attributes, elements, text } = element
  return (
    isSecret(element) ||
    redactTold(text) !== text ||
    attributes.some((each) => redactAttribute(each, element) !== each.value) ||
    elements.some(hasSecret)
  )
}

function redactAttribute({ name, value }: XmlElement['attributes'][number], element: XmlElement): string {
  return soundsSecret(name) || (name === 'value' && isEntryOfSecret(element)) ? REDACTED : redactTold(value)
}

/** The reply of createServiceToken holds nothing but the token. */
function isSecret(element: XmlElement): boolean {
  const { name, text } = element
  return soundsSecret(name) || isEntryOfSecret(element) || (name === 'output' && /^\s*\w{96}\s*$/.test(text))
}

/** Lists name in `<entry key="pin">` or in `<entry><name>pin</name><value>...` what others name by the element. */
function isEntryOfSecret({ attributes, elements }: XmlElement): boolean {
  if (attributes.some(({ name, value }) => NAME.test(name) && soundsSecret(value))) return true
  const isPair = elements.length <= 3 && elements.some(({ name }) => name === 'value')
  return isPair && elements.some(({ name, text }) => NAME.test(name) && soundsSecret(text.trim()))
}

const NAME = /^(?:name|key)$/

/** Elements go into the default namespace, which means the same as their own prefixes. */
function writeElement(element: XmlElement, outer: string, secrets: 'kept' | undefined): string {
  const { name, namespace, attributes, elements, text } = element
  const declaration = namespace === outer ? '' : ` xmlns="${escapeXml(namespace)}"`
  const others = attributes.map((each, i) => {
    const value = escapeXml(secrets === 'kept' ? each.value : redactAttribute(each, element))
    if (each.namespace === '') return ` ${each.name}="${value}"`
    return ` xmlns:a${i}="${escapeXml(each.namespace)}" a${i}:${each.name}="${value}"`
  })
  const content =
    isSecret(element) && secrets !== 'kept'
      ? REDACTED
      : escapeText(secrets === 'kept' ? text : redactTold(text)) +
        elements.map((each) => writeElement(each, namespace, secrets)).join('')
  return `<${name}${declaration}${others.join('')}>${content}</${name}>`
}

/** White space between elements has no meaning. */
function escapeText(text: string): string {
  return text.trim() === '' ? '' : text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
