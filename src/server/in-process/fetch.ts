import http, { Agent, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { LocalConnection } from './connection.ts'
import { failed } from './failures.ts'
import { toReply, toResponse } from './responses.ts'
import { sendUpload, toUpload, type Upload } from './uploads.ts'

export interface InProcess {
  /** As `fetch`, but without a network: the server answers, whatever host the request names. */
  fetch(request: Request): Promise<Response>
  /** The client's end of a new connection; `encrypted` counts as one by TLS. */
  connect(encrypted: boolean): Duplex
  /** Ends its connections; what is asked later is refused. */
  close(): void
}

/** As it is before a library that intercepts requests takes its place: this one leaves for no network. */
const open = http.request

const MOVED = [301, 302, 303, 307, 308]
/** As many as `fetch` follows. */
const MOST_MOVES = 20

/**
 * Reaches a server past the network: Node's own client and server, over connections of this process, so that streams,
 * resets and replies cut short are what they are by a port.
 */
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
    // By this a server tells https, and how its links begin.
    if (encrypted) Object.assign(pair.server, { encrypted })
    server.emit('setSecureContext' in server ? 'secureConnection' : 'connection', pair.server)
    return pair.client
  }

  async function send(request: Request, body: Upload | undefined, moves: number): Promise<Response> {
    const { protocol, host, pathname, search } = new URL(request.url)
    const { signal } = request
    if (closed) throw failed('fetch failed', new Error('the server was stopped'))
    signal.throwIfAborted()
    const outgoing = open({
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
  return {
    connect,
    async fetch(request) {
      request.signal.throwIfAborted()
      // Without a body it is on its way at once, and so before a stop that is asked for later.
      return send(request, request.body === null ? undefined : await toUpload(request, request.body), 0)
    },
    close() {
      closed = true
      plain.destroy()
      secure.destroy()
    },
  }
}

/** As `fetch` follows: all but 307 and 308 make a GET of what wrote. */
function follow(request: Request, status: number, to: URL, body: Upload | undefined): Request {
  const { headers, method, signal, redirect } = request
  const isKept = status >= 307 || method === 'GET' || method === 'HEAD'
  if (isKept) {
    if (body && 'rest' in body) throw failed('fetch failed', new Error('a stream is sent once'))
    return new Request(to, { headers, method, signal, redirect, ...(body && { body }) })
  }
  const left = new Headers(headers)
  left.delete('content-type')
  return new Request(to, { headers: left, signal, redirect })
}
