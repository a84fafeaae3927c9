import { XMLParser } from 'fast-xml-parser'
import { isDeep } from '#contract/records/plain-values.ts'

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: true,
  htmlEntities: true,
})

/**
 * Returns the elements by local name, for SOAP those of the body. Returns undefined for text that is not XML. Malicious
 * entities could expand without limit, so XML that defines entities is compared as text.
 */
export function readXml(text: string): { value: unknown } | undefined {
  if (/<!DOCTYPE/i.test(text)) return undefined
  try {
    const read: unknown = parser.parse(text, true)
    if (isDeep(read)) return undefined
    const body = Object(Object(Object(read).Envelope).Body) as Record<string, unknown>
    return { value: Object.keys(body).length > 0 ? body : read }
  } catch {
    return undefined
  }
}
