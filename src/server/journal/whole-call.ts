import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import type { Exchange } from '../ports/exchange.ts'
import { readHeaders } from './exchange.ts'

export interface KeptCall {
  exchange: Exchange
  sent: string
}

export function toWholeCall({ exchange, sent }: KeptCall): { call: HttpRequest; reply: HttpResponse } {
  const { method, url, status, replyHeaders, text, isCut } = exchange
  const given = [...readHeaders(exchange)].map(([name, values]) => [name, values.length > 1 ? values : values[0]!])
  return {
    call: {
      method,
      path: url,
      headers: Object.fromEntries(given) as HttpRequest['headers'],
      ...(sent !== '' && { body: sent }),
    },
    reply:
      status === undefined
        ? {}
        : {
            status,
            headers: { ...lengthOf(text), ...toReplyHeaders(replyHeaders) },
            body: text,
            ...(isCut && { cut: true }),
          },
  }
}

/** Fastify sets the length only when it sends the reply. */
export function lengthOf(text: string): Record<string, string> {
  return text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) }
}

export function toReplyHeaders(replyHeaders: Exchange['replyHeaders']): HttpRequest['headers'] {
  const headers: HttpRequest['headers'] = {}
  for (const [name, value] of Object.entries(replyHeaders)) {
    if (value === undefined) continue
    headers[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return headers
}
