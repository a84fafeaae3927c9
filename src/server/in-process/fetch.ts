import { Agent, ClientRequest, type IncomingMessage, type Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Duplex, PassThrough, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { LocalConnection } from './connection.ts'
import { failed, sendUpload, toUpload, type Upload } from './uploads.ts'

export interface InProcess {
  /** Sends the request to the server without a network. The host in the URL is ignored. */
  fetch(request: Request): Promise<Response>
  /** If `encrypted` is true, the server treats the connection as TLS. */
  connect(encrypted: boolean): Duplex
  close(): void
}

const MOVED = [301, 302, 303, 307, 308]
/** Maximum number of redirects, the same as in `fetch`. */
const MOST_MOVES = 20
const WITHOUT_BODY = [101, 204, 205, 304]
/** Maximum number of bytes that are buffered before they are read. */
const MOST_AHEAD = 16_384

/** Libraries that intercept requests replace the exported class, which would send the request back here. */
const OwnRequest = ClientRequest.prototype.constructor as typeof ClientRequest

/** Node's own client and server, so that streams, resets and incomplete responses behave as on a real port. */
export function createInProcess(server: Server): InProcess {
  let connections = 0
  let closed = false
  const plain = createAgent(false)
  const secure = createAgent(true)

  function createAgent(encrypted: boolean): Agent {
    const agent = new Agent({ keepAlive: true })
    agent.createConnection = () => connect(encrypted)
    return agent
  }

  function connect(encrypted: boolean): Duplex {
    const pair = LocalConnection.pair(++connections)
    // The server uses this property to detect HTTPS, which affects the links that it generates.
    if (encrypted) Object.assign(pair.server, { encrypted })
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', pair.server)
    return pair.client
  }

  async function send(request: Request, body: Upload | undefined, moves: number): Promise<Response> {
    const { protocol, host, pathname, search } = new URL(request.url)
    const { signal } = request
    if (closed) throw failed('fetch failed', new Error('the server was stopped'))
    signal.throwIfAborted()
    const outgoing = new OwnRequest({
      agent: protocol === 'https:' ? secure : plain,
      method: request.method,
      path: pathname + search,
      headers: { host, accept: '*/*', ...Object.fromEntries(request.headers) },
      signal,
    })
    const replied = toReply(outgoing, signal)
    sendUpload(outgoing, body)
    const reply = await replied
    const location = MOVED.includes(reply.statusCode ?? 0) ? reply.headers.location : undefined
    if (location === undefined || request.redirect === 'manual') return toResponse(request, reply)
    reply.destroy()
    if (request.redirect === 'error' || moves >= MOST_MOVES) throw failed('fetch failed', new Error('redirected'))
    const next = follow(request, reply.statusCode!, new URL(location, request.url), body)
    if (new URL(next.url).host !== host) return fetch(next)
    return send(next, next.body === null ? undefined : body, moves + 1)
  }
  let endedNow = false
  return {
    connect,
    async fetch(request) {
      request.signal.throwIfAborted()
      // A request without a body is sent immediately, so that the server receives it before a later stop.
      const body = request.body === null ? undefined : await toUpload(request, request.body)
      // Without a network, timers would never run during a sequence of calls.
      if (endedNow) await nextTurn()
      try {
        return await send(request, body, 0)
      } finally {
        endedNow = true
        setImmediate(() => {
          endedNow = false
        })
      }
    },
    close() {
      closed = true
      plain.destroy()
      secure.destroy()
    },
  }
}

/** For all redirects except 307 and 308, `fetch` converts a write to a GET request. */
function follow(request: Request, status: number, to: URL, body: Upload | undefined): Request {
  const { headers, method, signal, redirect } = request
  const isKept = status >= 307 || method === 'GET' || method === 'HEAD'
  if (isKept) {
    if (body && 'rest' in body) throw failed('fetch failed', new Error('a stream can be sent only once'))
    return new Request(to, { headers, method, signal, redirect, ...(body && { body }) })
  }
  const left = new Headers(headers)
  left.delete('content-type')
  return new Request(to, { headers: left, signal, redirect })
}

function toReply(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', (reply) => {
      // The response may fail before its body is read. Without a listener, Node does not keep the error.
      reply.on('error', () => {})
      resolve(reply)
    })
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : failed('fetch failed', error)))
  })
}

function toResponse({ method, signal, url }: Request, reply: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = reply
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.includes(status)
  if (isEmpty) reply.resume()
  const response = new Response(isEmpty ? null : toBody(reply, signal), { status, statusText, headers })
  return Object.defineProperty(response, 'url', { value: url })
}

/** A short body is buffered even if nothing reads it, so that its connection can be reused. */
function toBody(reply: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
  const body = new PassThrough({
    highWaterMark: MOST_AHEAD,
    destroy: (error, done) => done(error && (signal.aborted ? signal.reason : failed('terminated', error))),
  })
  const unpack = reply.headers['content-encoding'] === 'gzip' ? [createGunzip()] : []
  pipeline([reply, ...unpack, body], () => {})
  return Readable.toWeb(body, { strategy: { highWaterMark: 0 } }) as ReadableStream<Uint8Array>
}
