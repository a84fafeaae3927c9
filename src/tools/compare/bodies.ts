import { XMLParser } from 'fast-xml-parser'
import { isDeep } from '../../contract/cases/depth.ts'
import type { CaseReply } from '../../contract/records/control/case.ts'

/** A reply's body as what it says, whatever its spelling. */
export type Body =
  | { form: 'none' }
  | { form: 'JSON'; value: unknown }
  | { form: 'XML'; value: unknown }
  | { form: 'text'; value: string }

export function readBody({ headers, body }: CaseReply): Body {
  if (body === undefined || body === '') return { form: 'none' }
  const type = String(headers?.['content-type'] ?? '')
  if (/\bxml\b/i.test(type) || body.startsWith('<?xml')) return readXml(body) ?? { form: 'text', value: body }
  try {
    const value: unknown = JSON.parse(body)
    return isDeep(body) ? { form: 'text', value: body } : { form: 'JSON', value }
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

/** Elements that a hostile message may have within each other. */
const MOST_LEVELS = 64

/** Nothing for what is none, or defines entities: such is compared as text. */
function readXml(text: string): Body | undefined {
  if (/<!DOCTYPE/i.test(text) || isDeepXml(text)) return undefined
  try {
    const read: unknown = parser.parse(text, true)
    const body = Object(Object(Object(read).Envelope).Body) as Record<string, unknown>
    return { form: 'XML', value: Object.keys(body).length > 0 ? body : read }
  } catch {
    return undefined
  }
}

function isDeepXml(text: string): boolean {
  let level = 0
  for (const [tag] of text.matchAll(/<\/?[A-Za-z_][^>]*>/g)) {
    if (tag.startsWith('</')) level--
    else if (!tag.endsWith('/>')) level++
    if (level > MOST_LEVELS) return true
  }
  return false
}
