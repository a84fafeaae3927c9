import type { FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify'
import { portsOfWork } from '../domain/work-ports.ts'
import type { Exchange } from '../ports/exchange.ts'
import type { RecordedCall } from '../ports/recorder.ts'
import { hasBody } from '../http/connection/connections.ts'
import { isVendorTraffic } from '../../contract/control/vendor-traffic.ts'
import { toCaseBody } from './call-body.ts'

/** Acts of the control API that concern no step of a case: they change nothing in the world, or replace it. */
const noSteps = /^\/_control\/(?:recordings|worlds|journal|wallet|reset|snapshot|variation|mcp)(?:[/?]|$)/

/** Begins to record a call whose world is recorded; it has its turn later, since a fault may hold it up before. */
export const recordCall: onRequestHookHandler = (request, _reply, done) => {
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
    sent: undefined,
    at: undefined,
    exchange: undefined,
  }
  request.notes.recorded = recorded
  request.ports = portsOfWork(ports)
  if (!hasBody(raw)) return done()
  // The route's reader of the body reads what was pushed: a listener for data would read it for them, too early.
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

/** A call with a body has its turn when that has been read. */
export const awaitTurnWithoutBody: onRequestHookHandler = (request, reply, done) => {
  if (request.notes.recorded?.body) done()
  else awaitTurn.call(request.server, request, reply, done)
}

/** Waits for the calls before it while its world is recorded. */
export const awaitTurn: onRequestHookHandler & preValidationHookHandler = (request, _reply, done) => {
  const { recorded } = request.notes
  const wait = recorded?.recorder.takeTurn(recorded)
  if (wait) void wait.then(() => done())
  else done()
}

/** Keeps the call with its reply, which is about to leave, as they are: a step is made of them when it is asked for. */
export function finishRecordedCall(recorded: RecordedCall, { headers }: FastifyRequest, exchange: Exchange): void {
  const bytes = recorded.body && Buffer.concat(recorded.body)
  if (bytes && bytes.length > 0) recorded.sent = toCaseBody(bytes, headers['content-encoding'])
  // Its pieces hold the buffers that the socket read into.
  recorded.body = undefined
  recorded.recorder.finish(recorded, exchange)
}
