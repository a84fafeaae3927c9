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

/** A foreign server is asked within bounds, at a rate, and for allowed operations alone. */
export interface Upstream {
  url: URL
  dispatcher: Dispatcher
  allowed: AllowedWrites
  rate: Rate
  timer: ReplyBounds['timer']
}

/** A SOAP call is read before it is sent, since its operation stands in its body. */
const LONGEST_MESSAGE = 1024 * 1024
const MINUTE = 60_000
const limits = { patience: MINUTE / 2, longest: 2 * MINUTE, bytes: 256 * 1024 * 1024 }

/** Answers a call that may not go there or whose client has left; gives the body where it was read. */
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

/** Links in the reply come back by the proxy. */
export function pass(
  upstream: Upstream,
  call: ProxiedCall,
  admitted: { body?: Buffer | undefined; witness?: Witness },
): Promise<void> {
  const { path, ...destination } = toDestination(upstream, call)
  return relay(destination, path, call.request, call.reply, admitted)
}

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

/** Reads the body where the address does not tell the operation; gives `null` when it is too large. */
async function readMessage({ request, url }: ProxiedCall, allowed: AllowedWrites): Promise<Buffer | null | undefined> {
  const { method = 'GET' } = request
  if (allowed === 'all' || isRead(method) || findOperation(method, url.path)?.of !== 'billing') return undefined
  const pieces: Buffer[] = []
  let bytes = 0
  // The body is read to its end: a body left unread destroys the connection.
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes <= LONGEST_MESSAGE) pieces.push(piece)
  }
  return bytes <= LONGEST_MESSAGE ? Buffer.concat(pieces) : null
}

/** UTF-16 without a declared charset is read by its letters, without the zero bytes between them. */
function readText(body: Buffer, headers: IncomingMessage['headers']): string {
  return (toMessageText(body, headers) ?? body.toString('latin1')).replaceAll('\0', '')
}

function describeAllowing(forbidden: string): string {
  const [, operation] = /^operation (.+)$/.exec(forbidden) ?? []
  if (operation === undefined) return '--allow-writes lets all such calls go there'
  return `--allow-writes ${operation} lets it go there, --allow-writes alone all`
}
