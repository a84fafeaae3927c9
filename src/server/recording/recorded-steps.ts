import { passingCallHeaders, passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpHeaders } from '#contract/exchange.ts'
import type { CaseStep } from '#contract/files/case.ts'
import type { RecordedCall } from '../ports/recorder.ts'
import { readExchange } from '../journal/exchange.ts'

/** Headers that belong to the connection alone are left out. */
export function readStep({ exchange, sent, at, isControl }: RecordedCall, step: number): CaseStep {
  const { requestId, replyHeaders } = exchange!
  const { call: given, reply: answered } = readExchange(exchange!, sent)
  const { body, cut, ...head } = answered
  const length = replyHeaders['content-length']
  const isText = given.method !== 'HEAD' && (body !== '' || length === undefined || Number(length) === 0)
  const call = { ...given, headers: { ...without(given.headers, passingCallHeaders), 'x-request-id': requestId } }
  const reply = {
    ...head,
    ...(head.headers && { headers: without(head.headers, passingReplyHeaders) }),
    ...(body !== undefined && isText && { body }),
    ...(cut && { cut }),
  }
  const about = { step, at: new Date(at!).toISOString() }
  return isControl ? { ...about, control: call, reply } : { ...about, call, reply }
}

function without(headers: HttpHeaders, passing: ReadonlySet<string>): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)))
}
