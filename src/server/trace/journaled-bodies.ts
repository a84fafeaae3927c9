import { holds } from '../domain/control/contained-values.ts'
import type { ReadMessage } from '../ports/exchange.ts'
import type { SentBody } from '../ports/journal.ts'
import { type IsPublished, redactBody, redactText, redactUnreadable } from './redaction.ts'
import { mayStandInJson, mayStandInXml, partsOf } from './wanted-parts.ts'

/** The journal keeps the beginning of a longer body, so that its memory is bounded. */
export const LONGEST_BODY = 16_384

interface ShownBody {
  body?: unknown
  fields?: unknown
}

export function readBody(
  text: string,
  readMessage: ReadMessage | undefined,
  isPublished?: IsPublished,
  parse = parseJson,
): ShownBody {
  if (text === '') return {}
  const message = readMessage?.(text)
  if (message) return { ...message, body: message.body.slice(0, LONGEST_BODY) }
  if (readMessage) return { body: redactUnreadable(text.slice(0, LONGEST_BODY)) }
  if (!/^\s*[[{]/.test(text)) return { body: redactText(text.slice(0, LONGEST_BODY), isPublished) }
  try {
    return { body: redactBody(parse(text), { left: LONGEST_BODY }, isPublished) }
  } catch {
    return { body: redactUnreadable(text.slice(0, LONGEST_BODY)) }
  }
}

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/**
 * The text tells most that cannot fit, and the parsed body most others: to take its secrets out is the most work. Only
 * marks, such as that of a secret, stand in what is shown and not in what was sent.
 */
export function openSentBody(text: string, readMessage: ReadMessage | undefined, isPublished?: IsPublished): SentBody {
  let parsed: { value: unknown } | undefined
  let shown: ShownBody | undefined
  const parse = () => {
    parsed ??= { value: parseJson(text) }
    return parsed.value
  }
  return {
    holds(wanted) {
      const parts = partsOf(wanted)
      const mayHold = () =>
        readMessage ? mayStandInXml(text, parts) : mayStandInJson(text, parts) && mayHoldParsed(parse, wanted)
      if (!parts.isMarked && !mayHold()) return false
      shown ??= readBody(text, readMessage, isPublished, parse)
      return holds(shown.fields ?? shown.body, wanted)
    },
  }
}

/** Leaves to the shown body what is no JSON, or is too deep for the stack. */
function mayHoldParsed(parse: () => unknown, wanted: object): boolean {
  try {
    return holds(parse(), wanted)
  } catch {
    return true
  }
}
