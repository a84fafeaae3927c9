import { passingCallHeaders, passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import type { CaseStep } from '#contract/files/case.ts'
import type { Exchange } from '../ports/exchange.ts'
import type { RecordedCall } from '../ports/recorder.ts'
import { readHeaders } from '../journal/exchange.ts'
import { toReplyHeaders } from '../journal/whole-call.ts'

/** Headers that belong to the connection alone are left out. */
export function readStep({ exchange, sent, at, isControl }: RecordedCall, step: number): CaseStep {
  const about = { step, at: new Date(at!).toISOString() }
  const [call, reply] = [readCall(exchange!, sent), readReply(exchange!)]
  return isControl ? { ...about, control: call, reply } : { ...about, call, reply }
}

function readCall(exchange: Exchange, sent: RecordedCall['sent']): HttpRequest {
  const { method, url, worldName, requestId } = exchange
  const given = [...readHeaders(exchange)].filter(([name]) => !passingCallHeaders.has(name))
  return {
    method,
    path: url,
    ...(worldName !== undefined && { prefix: `/w/${worldName}` }),
    headers: {
      ...Object.fromEntries(given.map(([name, values]) => [name, values.length > 1 ? values : values[0]!])),
      'x-request-id': requestId,
    },
    ...(sent !== undefined && { body: sent }),
  }
}

function readReply({ method, status, replyHeaders, text, isCut }: Exchange): HttpResponse {
  if (status === undefined) return {}
  const length = replyHeaders['content-length']
  const isText = text !== '' || length === undefined || Number(length) === 0
  return {
    status,
    headers: withoutPassing(toReplyHeaders(replyHeaders)),
    ...(method !== 'HEAD' && isText && { body: text }),
    ...(isCut && { cut: true }),
  }
}

function withoutPassing(headers: HttpRequest['headers']): HttpRequest['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !passingReplyHeaders.has(name)))
}
