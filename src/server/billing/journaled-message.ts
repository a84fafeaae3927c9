import { isSecretName, REDACTED, soundsSecret } from '../../contract/records/secret-names.ts'
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
  if (element.elements.length === 0) return element.text
  return Object.fromEntries(element.elements.map((child) => [child.name, toObject(child, secrets)]))
}

function hasSecret(element: XmlElement): boolean {
  return (
    isSecret(element) || element.attributes.some(({ name }) => soundsSecret(name)) || element.elements.some(hasSecret)
  )
}

/** The reply of createServiceToken holds nothing but the token. */
function isSecret({ name, text, elements }: XmlElement): boolean {
  // The call's own name sounds like that of its reply's token.
  const isField = elements.length === 0 && name !== 'createServiceToken'
  return isSecretName(name) || (isField && soundsSecret(name)) || (name === 'output' && /^\s*\w{96}\s*$/.test(text))
}

/** Elements go into the default namespace, which means the same as their own prefixes. */
function writeElement(element: XmlElement, outer: string, secrets: 'kept' | undefined): string {
  const { name, namespace, attributes, elements, text } = element
  const declaration = namespace === outer ? '' : ` xmlns="${escapeXml(namespace)}"`
  const others = attributes.map((each, i) => {
    const value = soundsSecret(each.name) && secrets !== 'kept' ? REDACTED : escapeXml(each.value)
    if (each.namespace === '') return ` ${each.name}="${value}"`
    return ` xmlns:a${i}="${escapeXml(each.namespace)}" a${i}:${each.name}="${value}"`
  })
  const content =
    isSecret(element) && secrets !== 'kept'
      ? REDACTED
      : escapeText(text) + elements.map((each) => writeElement(each, namespace, secrets)).join('')
  return `<${name}${declaration}${others.join('')}>${content}</${name}>`
}

/** White space between elements has no meaning. */
function escapeText(text: string): string {
  return text.trim() === '' ? '' : text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
