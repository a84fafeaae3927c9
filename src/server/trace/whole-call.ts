import { isDeep } from '../../contract/cases/depth.ts'
import type { CaseCall, CaseReply } from '../../contract/records/control/case.ts'
import type { JournalEntry } from '../../contract/records/control/journal.ts'
import type { Exchange, ReadMessage } from '../ports/exchange.ts'
import { readHeaders } from './exchange.ts'
import { toReplyHeaders } from './recorded-steps.ts'

/** XML may be spelt so that even its parser does not see all of its content. */
const MAY_HIDE = /<!|&#|="[^"<]*>|='[^'<]*'/

export interface KeptCall {
  exchange: Exchange
  sent: string
  /** An archive reads each call twice, so what was found out about the bodies stays. */
  isSentPlain: boolean | undefined
  isTextPlain: boolean | undefined
}

/**
 * Secrets are taken out later by their names. A body whose names are not all certain, or that is not kept whole, stands
 * as the journal shows it.
 */
export function toWholeCall(kept: KeptCall, readShown: () => JournalEntry): { call: CaseCall; reply: CaseReply } {
  const { exchange, sent } = kept
  const { method, url, status, replyHeaders, text, isCut, readMessage } = exchange
  const given = [...readHeaders(exchange)].map(([name, values]) => [name, values.length > 1 ? values : values[0]!])
  kept.isSentPlain ??= isPlain(sent, readMessage)
  kept.isTextPlain ??= isPlain(text, readMessage)
  const body = kept.isSentPlain ? sent : toText(readShown().request?.body)
  return {
    call: {
      method,
      path: url,
      headers: Object.fromEntries(given) as CaseCall['headers'],
      ...(body !== '' && { body }),
    },
    reply:
      status === undefined
        ? {}
        : {
            status,
            headers: { ...lengthOf(text), ...toReplyHeaders(replyHeaders) },
            body: kept.isTextPlain ? text : toText(readShown().response?.body),
            ...(isCut && { cut: true }),
          },
  }
}

/** Fastify sets the length only when it sends the reply. */
export function lengthOf(text: string): Record<string, string> {
  return text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) }
}

function toText(shown: unknown): string {
  return shown === undefined ? '' : typeof shown === 'string' ? shown : JSON.stringify(shown)
}

function isPlain(text: string, readMessage: ReadMessage | undefined): boolean {
  if (readMessage) return !MAY_HIDE.test(text) && readMessage(text, 'kept') !== undefined
  if (!/^\s*[[{]/.test(text)) return true
  if (isDeep(text)) return false
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}
