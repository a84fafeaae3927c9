import type { ReadMessage } from '../ports/exchange.ts'

/** Maximum number of characters of a body that the journal stores, which limits its memory. */
export const LONGEST_BODY = 16_384

interface DisplayedBody {
  body?: unknown
  fields?: unknown
}

export function readBody(text: string, readMessage: ReadMessage | undefined): DisplayedBody {
  if (text === '') return {}
  const fields = readMessage?.(text)
  if (!readMessage && /^\s*[[{]/.test(text)) {
    try {
      return { body: cutBody(JSON.parse(text), { left: LONGEST_BODY }) }
    } catch {
      // If a body is not valid JSON, the journal shows it as text.
    }
  }
  return { body: text.slice(0, LONGEST_BODY), ...(fields !== undefined && { fields }) }
}

export const CUT = '[cut]'

export function cutBody(value: unknown, space: { left: number }): unknown {
  if (space.left <= 0) return CUT
  space.left -= 2
  if (typeof value === 'string') {
    const text = value.slice(0, space.left)
    space.left -= text.length
    return text + (text.length < value.length ? CUT : '')
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const kept: unknown[] = []
    for (const each of value) {
      kept.push(cutBody(each, space))
      if (space.left <= 0) break
    }
    return kept
  }
  const kept: [string, unknown][] = []
  for (const [name, field] of Object.entries(value)) {
    if (name.length > space.left) {
      kept.push([CUT, CUT])
      break
    }
    space.left -= name.length
    kept.push([name, cutBody(field, space)])
  }
  return Object.fromEntries(kept)
}
