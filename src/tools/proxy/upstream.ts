import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import { type AllowedWrites, findForbiddenWrite } from '../../contract/documents/allowed-writes.ts'
import { findOperation, isRead } from '../../contract/documents/find-operation.ts'
import type { ReplyBounds } from './bounded-reply.ts'
import type { ProxiedCall } from './forward-proxy.ts'
import { createOwnLinks } from './own-links.ts'
import type { Rate } from './rate.ts'
import { type Destination, refuse, relay, type Witness } from './relay.ts'
import { toMessageText } from './message-text.ts'

/** Somebody else's server, which is asked carefully. */
export interface Upstream {
  url: URL
  dispatcher: Dispatcher
  allowed: AllowedWrites
  rate: Rate
  timer: ReplyBounds['timer']
}

/** Bytes of a SOAP call, which is read to know its operation. */
const LONGEST_MESSAGE = 1024 * 1024
const MINUTE = 60_000
const limits = { patience: MINUTE / 2, longest: 2 * MINUTE, bytes: 256 * 1024 * 1024 }

/** Whether a call may go there, and is there to go by now; else it is answered. Gives its body where that was read. */
export async function admit(
  { url, allowed, rate }: Upstream,
  call: ProxiedCall,
): Promise<{ body?: Buffer } | undefined> {
  const { request, reply } = call
  const { method = 'GET', headers } = request
  const body = await readMessage(call, allowed)
  if (body === null) {
    refuse(reply, 413, `a SOAP call is larger than ${LONGEST_MESSAGE / 1024 / 1024} MB`)
    return undefined
  }
  const forbidden = findForbiddenWrite(
    { method, path: call.url.path, headers, body: body && readText(body, headers) },
    allowed,
  )
  if (forbidden !== undefined) {
    refuse(reply, 403, `${forbidden} may change something at ${url.host}: ${describeAllowing(forbidden)}`)
    return undefined
  }
  const left = new AbortController()
  reply.once('close', () => left.abort())
  if (await rate.pass(left.signal)) return body ? { body } : {}
  if (!left.signal.aborted) refuse(reply, 429, `too many calls wait for ${url.host} (--rate)`, { 'retry-after': '1' })
  return undefined
}

/** Hands an admitted call on, to the name of the upstream; links that it answers come back by the proxy. */
export function pass(
  upstream: Upstream,
  call: ProxiedCall,
  admitted: { body?: Buffer | undefined; witness?: Witness },
): Promise<void> {
  const { path, ...destination } = toDestination(upstream, call)
  return relay(destination, path, call.request, call.reply, admitted)
}

/** The place of a call at the upstream. */
export function toDestination({ url, dispatcher, timer }: Upstream, call: ProxiedCall): Destination & { path: string } {
  const { protocol, host, path } = call.url
  const links = createOwnLinks(url, `${protocol}//${host}`)
  const whole = url.pathname.replace(/\/$/, '') + path
  return {
    origin: url.origin,
    dispatcher,
    headers: { host: url.host },
    bounds: { ...limits, timer },
    links,
    path: whole,
  }
}

/** The body of a call that its address does not tell about; `null` when it is too large. */
async function readMessage({ request, url }: ProxiedCall, allowed: AllowedWrites): Promise<Buffer | null | undefined> {
  const { method = 'GET' } = request
  if (allowed === 'all' || isRead(method) || findOperation(method, url.path)?.of !== 'billing') return undefined
  const pieces: Buffer[] = []
  let bytes = 0
  // To its end in any case: a body that is left destroys the connection.
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes <= LONGEST_MESSAGE) pieces.push(piece)
  }
  return bytes <= LONGEST_MESSAGE ? Buffer.concat(pieces) : null
}

/** Of UTF-16 that says so nowhere the letters count. */
function readText(body: Buffer, headers: IncomingMessage['headers']): string {
  return (toMessageText(body, headers) ?? body.toString('latin1')).replaceAll('\0', '')
}

function describeAllowing(forbidden: string): string {
  const [, operation] = /^operation (.+)$/.exec(forbidden) ?? []
  if (operation === undefined) return '--allow-writes lets all such calls go there'
  return `--allow-writes ${operation} lets it go there, --allow-writes alone all`
}
