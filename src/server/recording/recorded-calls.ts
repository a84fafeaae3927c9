import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import { portsOfWork } from '../domain/work-ports.ts'
import type { Ports } from '../ports.ts'
import type { CapturedExchange } from '../ports/exchange.ts'
import type { RecordedCall } from '../ports/recorder.ts'
import { passingCallHeaders, passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpHeaders } from '#contract/exchange.ts'
import type { CaseStep } from '#contract/files/case.ts'
import { readExchange } from '../journal/exchange.ts'
import { hasBody } from '../http/connection/connections.ts'
import { readBody } from '#contract/bodies.ts'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'

/** Not steps of a case, because they leave the content of a world unchanged or replace the entire world. */
const noSteps = /^\/_control\/(?:recordings|worlds|journal|wallet|reset|snapshot|variation|mcp)(?:[/?]|$)/

/** Returns the ports that the request must use. The call gets its slot later, because a fault may delay the call. */
export function recordCall(request: FastifyRequest, ports: Ports): Ports {
  const { method, url, raw, server } = request
  const { recorder } = ports.state
  if (!recorder || server.closing.aborted) return ports
  const isControl = url.startsWith('/_control/')
  const changes = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  if (isControl ? !changes || noSteps.test(url) : !isVendorTraffic(url)) return ports
  const recorded: RecordedCall = {
    recorder,
    isControl,
    changes,
    movesClock: isControl && url.startsWith('/_control/clock'),
    body: undefined,
    sent: undefined,
    at: undefined,
    exchange: undefined,
  }
  request.context.recorded = recorded
  if (hasBody(raw)) storeBody(raw, recorded)
  return portsOfWork(ports)
}

function storeBody(raw: IncomingMessage, recorded: RecordedCall): void {
  // Replaces `push` to copy the body. A `data` listener would start the stream before the route's own reader is ready.
  const push = raw.push.bind(raw)
  recorded.body = []
  raw.push = (chunk: Uint8Array | string | null, encoding) => {
    // If a test injects a request, its body is pushed as a string. Bytes that arrive after the response are dropped.
    if (chunk) recorded.body?.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    return push(chunk, encoding)
  }
}

/** A call with a body waits only after the body has been read, so that a slow sender does not delay others. */
export const awaitRecorderWithoutBody: onRequestHookHandler = (request, reply, done) => {
  if (request.context.recorded?.body) done()
  else awaitRecorder.call(request.server, request, reply, done)
}

/** Each call waits for the previous ones, so that a replay can repeat them in the same order. */
export const awaitRecorder: onRequestHookHandler & preValidationHookHandler = (request, _reply, done) => {
  const { recorded } = request.context
  const wait = recorded?.recorder.waitForSlot(recorded)
  if (wait) void wait.then(() => done())
  else done()
}

/** Runs just before the response is sent. The step is created only when the recording is read. */
export function finishRecordedCall(
  recorded: RecordedCall,
  { headers }: FastifyRequest,
  exchange: CapturedExchange,
): void {
  const bytes = recorded.body && Buffer.concat(recorded.body)
  if (bytes && bytes.length > 0) recorded.sent = readBody(bytes, headers['content-encoding'])
  // If the chunks were kept, the read buffers of the socket would stay in memory.
  recorded.body = undefined
  recorded.recorder.finish(recorded, exchange)
}

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
