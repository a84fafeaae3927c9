import type { FastifyReply, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import type { CaseCall, CaseReply, RecordedCall, RecordedExchange } from '../../schemas/control/case.ts'
import { hasBody } from '../connection/connections.ts'
import { isVendorTraffic, worldPrefixOf } from '../world-path.ts'
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

/** Acts of the control API that concern no step of a case: they change nothing in the world, or replace it. */
const noSteps = /^\/_control\/(?:recordings|worlds|journal|wallet|reset|snapshot|variation)(?:[/?]|$)/

/** Begins to record a call whose world is recorded; one with a body has its turn when that has been read. */
export const recordCall: onRequestHookHandler = (request, reply, done) => {
  const { ports, method, url, raw } = request
  const { recorder } = ports
  if (!recorder) return done()
  const isControl = url.startsWith('/_control/')
  const changes = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  if (isControl ? !changes || noSteps.test(url) : !isVendorTraffic(url)) return done()
  const recorded: RecordedCall = {
    recorder,
    isControl,
    changes,
    movesClock: isControl && url.startsWith('/_control/clock'),
    body: undefined,
    at: undefined,
    exchange: undefined,
  }
  request.notes.recorded = recorded
  if (!hasBody(raw)) return awaitTurn.call(request.server, request, reply, done)
  // Whoever reads the body reads what was pushed: a listener for data would read it for them, too early.
  const push = raw.push.bind(raw)
  const body: Uint8Array[] = []
  recorded.body = body
  raw.push = (chunk: Uint8Array | string | null, encoding) => {
    // An injected request pushes its body as the text it was given.
    if (chunk) body.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    return push(chunk, encoding)
  }
  done()
}

/** Waits for the calls before it while its world is recorded. */
export const awaitTurn: onRequestHookHandler & preValidationHookHandler = (request, _reply, done) => {
  const { recorded } = request.notes
  const wait = recorded?.recorder.takeTurn(recorded)
  if (wait) void wait.then(() => done())
  else done()
}

/** Keeps the call with its reply, which is about to leave, as they are: a step is made of them when it is asked for. */
export function finishRecordedCall(
  recorded: RecordedCall,
  { method, url, raw, id, notes }: FastifyRequest,
  { statusCode }: FastifyReply,
  { replyHeaders, text = '' }: { replyHeaders: ReplyHeaders; text?: string | undefined },
): void {
  const sent = recorded.body && Buffer.concat(recorded.body)
  const kept: KeptCall = {
    bytes: url.length + (sent?.length ?? 0) + text.length,
    isStream: replyHeaders['content-type'] === 'text/event-stream',
    method,
    url,
    prefix: worldPrefixOf(raw),
    headers: raw.rawHeaders,
    id,
    sent,
    status: notes.unanswered ? undefined : statusCode,
    replyHeaders,
    text,
    cut: notes.throttling !== undefined && 'cut' in notes.throttling,
    read: readExchange,
  }
  recorded.recorder.finish(recorded, kept)
}

interface KeptCall extends RecordedExchange {
  method: string
  url: string
  prefix: string | undefined
  /** Names and values by turns. */
  headers: readonly string[]
  id: string
  sent: Buffer | undefined
  /** Absent: nothing was answered. */
  status: number | undefined
  replyHeaders: ReplyHeaders
  text: string
  cut: boolean
}

function readExchange(this: KeptCall): { call: CaseCall; reply: CaseReply } {
  return { call: readCall(this), reply: readReply(this) }
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
