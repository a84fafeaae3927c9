import { XMLParser } from 'fast-xml-parser'
import { isDeep } from '#contract/records/plain-values.ts'
import type { HttpResponse } from '#contract/exchange.ts'

/** Bodies are compared by what they say: spelling, white space and prefixes of XML make no difference. */
export type Body =
  | { form: 'none' }
  | { form: 'JSON'; value: unknown }
  | { form: 'XML'; value: unknown }
  | { form: 'text'; value: string }

export function readBody({ headers, body }: HttpResponse): Body {
  if (body === undefined || body === '') return { form: 'none' }
  const type = String(headers?.['content-type'] ?? '')
  if (/\bxml\b/i.test(type) || body.startsWith('<?xml')) return readXml(body) ?? { form: 'text', value: body }
  try {
    const value: unknown = JSON.parse(body)
    return isDeep(value) ? { form: 'text', value: body } : { form: 'JSON', value }
  } catch {
    return { form: 'text', value: body }
  }
}

/** Prefixes, attributes and white space between elements say nothing here. */
const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: true,
})

/** Text that is not XML, is deep or defines entities is compared as text. Hostile entities grow without end. */
function readXml(text: string): Body | undefined {
  if (/<!DOCTYPE/i.test(text)) return undefined
  try {
    const read: unknown = parser.parse(text, true)
    if (isDeep(read)) return undefined
    const body = Object(Object(Object(read).Envelope).Body) as Record<string, unknown>
    return { form: 'XML', value: Object.keys(body).length > 0 ? body : read }
  } catch {
    return undefined
  }
}
