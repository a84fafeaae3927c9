import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from 'undici'
import { readText } from '#contract/bodies.ts'
import { type AllowedWrites, findForbiddenWrite } from '#contract/documents/allowed-writes.ts'
import { leadsAbove } from '#contract/documents/dot-segments.ts'
import { findOperation, isRead } from '#contract/documents/find-operation.ts'
import { decodePercent } from '#contract/records/decoded-text.ts'
import type { ReplyBounds } from './bounded-reply.ts'
import { readCallBody, type Destination } from './relay.ts'
import { type ProxiedCall, refuse } from './forward-proxy.ts'
import { createOwnLinks } from './own-links.ts'
import type { Rate } from '#tools/compare/rate.ts'

export interface Upstream {
  url: URL
  dispatcher: Dispatcher
  allowed: AllowedWrites
  rate: Rate
  bounds: ReplyBounds
}

/** Maximum size of a SOAP message in bytes. It is read before it is sent, because the operation is in the body. */
const LONGEST_MESSAGE = 1024 * 1024

/** Returns undefined if the request was rejected or its client disconnected, otherwise the body if it was read. */
export async function admit(
  { url, allowed, rate }: Upstream,
  call: ProxiedCall,
  onForbidden: () => void = () => {},
): Promise<{ body?: Buffer } | undefined> {
  const { request, reply } = call
  const { method = 'GET', headers } = request
  if (leadsAbove(call.url.path)) {
    const why = `this path is outside ${url.host}${url.pathname} and was not forwarded. It has too many .. segments`
    return void refuse(reply, 403, why)
  }
  // If the upstream is also a vendor-cloud server, its journal would reveal secrets in requests.
  if (/^\/+(?:w\/+[^/]+\/+)?_control(?:\/|$)/i.test(decodePercent(call.url.path.split('?', 1)[0]!))) {
    return void refuse(reply, 404, `the control API is not forwarded to ${url.host}. Call it at its own address`)
  }
  const body = await readMessage(call, allowed)
  if (body === 'too large') {
    return void refuse(reply, 413, `a SOAP call is larger than ${LONGEST_MESSAGE / 1024 / 1024} MB`)
  }
  const forbidden = findForbiddenWrite(
    { method, path: call.url.path, headers, body: body && readLetters(body, headers) },
    allowed,
  )
  if (forbidden !== undefined) {
    onForbidden()
    return void refuse(reply, 403, `${forbidden} can change data at ${url.host}: ${describeAllowing(forbidden)}`)
  }
  const left = new AbortController()
  reply.once('close', () => left.abort())
  if (await rate.pass(left.signal)) return body ? { body } : {}
  if (!left.signal.aborted)
    refuse(reply, 429, `too many calls are waiting for ${url.host} (--rate)`, { 'retry-after': '1' })
  return undefined
}

/** Rewrites links in the response, so that the client follows them through the proxy. */
export function toDestination({ url, dispatcher, bounds }: Upstream, call: ProxiedCall): Destination {
  const { protocol, host, path } = call.url
  return {
    origin: url.origin,
    dispatcher,
    headers: { host: url.host },
    bounds,
    links: createOwnLinks(url, `${protocol}//${host}`),
    path: url.pathname.replace(/\/$/, '') + path,
  }
}

async function readMessage({ request, url }: ProxiedCall, allowed: AllowedWrites) {
  const { method = 'GET' } = request
  if (allowed === 'all' || isRead(method) || findOperation(method, url.path)?.of !== 'billing') return undefined
  return readCallBody(request, LONGEST_MESSAGE)
}

/** Removes zero bytes, so that ASCII characters can be read even if the text is UTF-16 and declares no charset. */
function readLetters(body: Buffer, headers: IncomingMessage['headers']): string {
  return (readText(body, headers) ?? body.toString('latin1')).replaceAll('\0', '')
}

function describeAllowing(forbidden: string): string {
  const [, operation] = /^operation (.+)$/.exec(forbidden) ?? []
  if (operation === undefined) return 'use --allow-writes to forward such calls'
  return `use --allow-writes ${operation} to forward it, or --allow-writes to forward all`
}
