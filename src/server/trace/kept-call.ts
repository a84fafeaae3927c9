import { passingCallHeaders, passingReplyHeaders } from '../../contract/cases/passing-headers.ts'
import type { RecordedExchange } from '../ports/recorder.ts'
import type { CaseCall, CaseReply } from '../../contract/records/control/case.ts'
import type { ReadMessage } from '../http/request-notes.ts'
import { type ReplyHeaders, readHeaders } from './journaled-requests.ts'

/** A call and its reply as they came, until a step is made of them. */
export interface KeptCall extends RecordedExchange {
  method: string
  url: string
  prefix: string | undefined
  headers: string
  id: string
  sent: CaseCall['body']
  /** Absent: nothing was answered. */
  status: number | undefined
  replyHeaders: ReplyHeaders
  text: string
  cut: boolean
  /** Reads bodies of a form that only the document's room knows. */
  readMessage: ReadMessage | undefined
}

/** A message of XML may be spelt so that not even its reader sees what it holds. */
const MAY_HIDE = /<!|&#|="[^"<]*>|='[^'<]*>/

/** The two as a step has them: without headers that belong to the way they took. */
export function readExchange(kept: KeptCall): ReturnType<RecordedExchange['read']> {
  const { sent, text } = kept
  const read = (message: string) => (MAY_HIDE.test(message) ? kept.readMessage?.(message, 'kept')?.body : undefined)
  const call = read(typeof sent === 'string' ? sent : sent && 'text' in sent ? sent.text : '')
  const reply = read(text)
  const isHidden = call !== undefined || reply !== undefined
  return { call: readCall(kept), reply: readReply(kept), ...(isHidden && { readings: { call, reply } }) }
}

function readCall({ method, url, prefix, headers, id, sent }: KeptCall): CaseCall {
  const given = [...readHeaders(headers)].filter(([name]) => !passingCallHeaders.has(name))
  return {
    method,
    path: url,
    ...(prefix !== undefined && { prefix }),
    headers: {
      ...Object.fromEntries(given.map(([name, values]) => [name, values.length > 1 ? values : values[0]!])),
      'x-request-id': id,
    },
    ...(sent !== undefined && { body: sent }),
  }
}

function readReply({ method, status, replyHeaders, text, cut }: KeptCall): CaseReply {
  if (status === undefined) return {}
  const length = replyHeaders['content-length']
  const isText = text !== '' || length === undefined || Number(length) === 0
  return {
    status,
    headers: toReplyHeaders(replyHeaders),
    ...(method !== 'HEAD' && isText && { body: text }),
    ...(cut && { cut }),
  }
}

function toReplyHeaders(replyHeaders: ReplyHeaders): CaseCall['headers'] {
  const headers: CaseCall['headers'] = {}
  for (const [name, value] of Object.entries(replyHeaders)) {
    if (value === undefined || passingReplyHeaders.has(name)) continue
    headers[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return headers
}
