import { parseXml, type XmlElement } from './xml.ts'

/** The inputs are below the call, by their local names. Gives nothing for a message that cannot be parsed. */
export function readMessageForJournal(text: string): Record<string, unknown> | undefined {
  try {
    const call = parseXml(text).elements.find(({ name }) => name === 'Body')?.elements[0]
    if (!call) return undefined
    const inputs = toObject(call)
    return typeof inputs === 'string' ? { [call.name]: inputs } : { ...inputs, [call.name]: inputs }
  } catch {
    return undefined
  }
}

function toObject({ elements, text }: XmlElement): string | Record<string, unknown> {
  if (elements.length === 0) return text
  return Object.fromEntries(elements.map((child) => [child.name, toObject(child)]))
}
