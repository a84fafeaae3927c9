import type { FastifyReply, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import type { CaseCall, CaseReply } from '../schemas/control/case.ts'
import { hasBody } from './connection/connections.ts'
import { isVendorTraffic, worldPrefixOf } from './world-path.ts'

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

/** Notes a request whose world is recorded; one with a body has its turn when that has been read. */
export const beginRecorded: onRequestHookHandler = (request, reply, done) => {
  const { ports, method, url, raw } = request
  const { recorder } = ports
  if (!recorder) return done()
  const isControl = url.startsWith('/_control/')
  const changes = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
  if (isControl ? !changes || noSteps.test(url) : !isVendorTraffic(url)) return done()
  const recorded = recorder.begin({ isControl, changes, movesClock: url.startsWith('/_control/clock') })
  request.notes.recorded = recorded
  if (!hasBody(raw)) return takeTurn.call(request.server, request, reply, done)
  // Whoever reads the body reads what was pushed: a listener for data would read it for them, too early.
  const push = raw.push.bind(raw)
  raw.push = (chunk: Uint8Array | string | null, encoding) => {
    // An injected request pushes its body as the text it was given.
    if (chunk) recorded.body.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    return push(chunk, encoding)
  }
  done()
}

/** Waits for those before it while its world is recorded. */
export const takeTurn: onRequestHookHandler & preValidationHookHandler = (request, _reply, done) => {
  const wait = request.notes.recorded?.takeTurn()
  if (wait) void wait.then(() => done())
  else done()
}

/** Writes the call down with its answer, which is about to leave. */
export function finishRecorded(request: FastifyRequest, reply: FastifyReply, text = ''): void {
  const { recorded, unanswered, throttling } = request.notes
  if (!recorded) return
  const { method, url, raw, id } = request
  const prefix = worldPrefixOf(raw)
  const body = Buffer.concat(recorded.body)
  const call: CaseCall = {
    method,
    path: url,
    ...(prefix !== undefined && { prefix }),
    headers: { ...toHeaders(raw.rawHeaders), 'x-request-id': id },
    ...(body.length > 0 && { body: toBody(body) }),
  }
  const answer: CaseReply = unanswered
    ? {}
    : {
        status: reply.statusCode,
        headers: toReplyHeaders(reply),
        ...(method !== 'HEAD' && isText(reply, text) && { body: text }),
        ...(throttling && 'cut' in throttling && { cut: true }),
      }
  recorded.finish(call, answer)
}

function isText(reply: FastifyReply, text: string): boolean {
  const length = reply.getHeader('content-length')
  return text !== '' || length === undefined || Number(length) === 0
}

function toBody(bytes: Buffer): CaseCall['body'] {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { base64: bytes.toString('base64') }
}

function toHeaders(raw: readonly string[]): CaseCall['headers'] {
  const headers: CaseCall['headers'] = {}
  for (let i = 0; i < raw.length; i += 2) {
    const [name, value] = [raw[i]!.toLowerCase(), raw[i + 1]!]
    if (sentOnTheWay.has(name)) continue
    const given = headers[name]
    headers[name] = given === undefined ? value : [...[given].flat(), value]
  }
  return headers
}

function toReplyHeaders(reply: FastifyReply): CaseCall['headers'] {
  const headers: CaseCall['headers'] = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value === undefined || answeredOnTheWay.has(name)) continue
    headers[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return headers
}
