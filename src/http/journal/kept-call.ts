import type { CaseCall, CaseReply, RecordedExchange } from '../../schemas/control/case.ts'
import { type ReplyHeaders, readHeaders } from './journaled-requests.ts'

/** What a client's library puts in by itself, and what says which world and server are meant. */
const sentOnTheWay = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'user-agent',
  'x-control-key',
  'x-world',
])
/** What names the moment, or the way to this server. */
const answeredOnTheWay = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length'])

/** A call and its reply as they came, until a step is made of them. */
export interface KeptCall extends RecordedExchange {
  method: string
  url: string
  prefix: string | undefined
  headers: string
  id: string
  sent: Buffer | undefined
  /** Absent: nothing was answered. */
  status: number | undefined
  replyHeaders: ReplyHeaders
  text: string
  cut: boolean
}

/** The two as a step has them: without headers that belong to the way they took. */
export function readExchange(kept: KeptCall): { call: CaseCall; reply: CaseReply } {
  return { call: readCall(kept), reply: readReply(kept) }
}

function readCall({ method, url, prefix, headers, id, sent }: KeptCall): CaseCall {
  const given = [...readHeaders(headers)].filter(([name]) => !sentOnTheWay.has(name))
  return {
    method,
    path: url,
    ...(prefix !== undefined && { prefix }),
    headers: {
      ...Object.fromEntries(given.map(([name, values]) => [name, values.length > 1 ? values : values[0]!])),
      'x-request-id': id,
    },
    ...(sent && sent.length > 0 && { body: toBody(sent) }),
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

function toBody(bytes: Buffer): CaseCall['body'] {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') }
}

function toReplyHeaders(replyHeaders: ReplyHeaders): CaseCall['headers'] {
  const headers: CaseCall['headers'] = {}
  for (const [name, value] of Object.entries(replyHeaders)) {
    if (value === undefined || answeredOnTheWay.has(name)) continue
    headers[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return headers
}
