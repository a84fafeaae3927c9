import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { TLSSocket, createSecureContext, type SecureContext } from 'node:tls'
import { findOperation } from '#contract/documents/find-operation.ts'
import type { NamedHost } from '#contract/documents/named-hosts.ts'

export interface ProxiedCall {
  url: { protocol: 'http:' | 'https:'; host: string; path: string }
  request: IncomingMessage
  reply: ServerResponse
}

export interface ForwardProxyOptions {
  hosts: readonly NamedHost[]
  certify(host: string): Promise<Leaf>
  answer(call: ProxiedCall): Promise<void>
  /** Returns milliseconds since 1970. */
  now(): number
}

/** First byte of a TLS handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 0x16
/** Milliseconds for which an idle connection stays open. The emulator uses the same value. */
const KEEP_ALIVE = 72_000
/** Maximum milliseconds until the first byte of a tunnel, and until the end of its TLS handshake. */
const GREETING = 30_000

/** Only the listed hosts are accepted, so that this is not an open proxy. */
export function createForwardProxy({ hosts, certify, answer, now }: ForwardProxyOptions): Server {
  const tunnels = new WeakMap<Duplex, string>()
  const contextOf = createSecureContexts(certify, now)
  // This server also handles the connections inside tunnels, so its timeouts apply to them.
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE },
    limitPipelining((request, reply) => {
      if (countOf(request, 'host') > 1) return refuse(reply, 400, 'the request has more than one Host header')
      const host = tunnels.get(request.socket)
      if (host === undefined) answerAbsolute(request, reply)
      else answerInTunnel(host, request, reply)
    }),
  )
  const find = (authority: string) => hosts.find(({ host }) => host === nameOf(authority))

  function answerAbsolute(request: IncomingMessage, reply: ServerResponse): void {
    const url = readAbsolute(request.url)
    if (url) return take({ url, request, reply })
    refuse(reply, 400, 'this is a forward proxy. Configure it as the proxy of your client')
  }

  function answerInTunnel(host: string, request: IncomingMessage, reply: ServerResponse): void {
    const { host: meant = host, path = request.url ?? '' } = readAbsolute(request.url) ?? {}
    if (nameOf(meant) !== nameOf(host))
      return refuse(reply, 403, `the Host ${meant} differs from ${host}, the host of this connection`)
    if (!path.startsWith('/')) return refuse(reply, 400, `${path} is not a path of ${host}`)
    take({ url: { protocol: request.socket instanceof TLSSocket ? 'https:' : 'http:', host, path }, request, reply })
  }

  function take(call: ProxiedCall): void {
    const { url, request, reply } = call
    const named = find(url.host)
    if (!named) return refuse(reply, 403, foreign(url.host))
    const found = findOperation(request.method ?? 'GET', url.path)
    if (found && !named.interfaces.includes(found.of)) {
      return refuse(
        reply,
        404,
        `${named.host} has no ${found.of}. To add it, use --host ${named.host}=${named.interfaces.join(',')}`,
      )
    }
    answer(call).catch((error: Error) => {
      if (reply.headersSent) reply.destroy()
      else refuse(reply, 502, error.message)
    })
  }

  function foreign(host: string): string {
    return `${host} is not a host of this proxy: ${hosts.map(({ host: name }) => name).join(', ')}. Add it with --host`
  }

  async function tunnel(socket: Socket, authority: string): Promise<void> {
    const name = nameOf(authority)
    const late = setTimeout(() => socket.destroy(), GREETING)
    socket.once('close', () => clearTimeout(late))
    const isSecure = await startsSecurely(socket)
    const end = isSecure
      ? new TLSSocket(socket, { isServer: true, secureContext: await contextOf(name), ALPNProtocols: ['http/1.1'] })
      : socket
    // The handshake fails if the client does not trust the certificate authority.
    end.on('error', () => socket.destroy())
    if (end instanceof TLSSocket) end.once('secure', () => clearTimeout(late))
    else clearTimeout(late)
    tunnels.set(end, withoutDefault(authority, isSecure))
    server.emit('connection', end)
    if (!isSecure) socket.resume()
  }

  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const authority = request.url ?? ''
    if (tunnels.has(socket)) return void rejectTunnel(socket, 400, 'CONNECT inside a tunnel is not supported')
    if (countOf(request, 'host') > 1) return void rejectTunnel(socket, 400, 'CONNECT has more than one Host header')
    if (!hasPort(authority)) return void rejectTunnel(socket, 400, `CONNECT ${authority} has no port, such as 443`)
    if (!find(authority)) return void rejectTunnel(socket, 403, foreign(authority))
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) socket.unshift(head)
    tunnel(socket, authority).catch(() => socket.destroy())
  })
  return server
}

const countOf = ({ rawHeaders }: IncomingMessage, name: string) =>
  rawHeaders.filter((each, i) => i % 2 === 0 && each.toLowerCase() === name).length

/** A CONNECT request must contain host and port (RFC 9110, section 9.3.6). */
function hasPort(authority: string): boolean {
  const [, port] = /:(\d{1,5})$/.exec(authority) ?? []
  return Number(port) >= 1 && Number(port) <= 65_535
}

/** Requests to a proxy contain the URL in absolute form (RFC 9112, section 3.2.2). */
function readAbsolute(address = ''): ProxiedCall['url'] | undefined {
  const [, protocol, host = '', path = ''] = /^(https?:)\/\/([^/?#]*)(.*)$/is.exec(address) ?? []
  if (protocol === undefined) return undefined
  return { protocol: protocol.toLowerCase() as 'http:', host, path: path.startsWith('/') ? path : `/${path}` }
}

/** Peeks at the first byte without consuming it. */
function startsSecurely(socket: Socket): Promise<boolean> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('closed')))
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      socket.unshift(bytes)
      resolve(bytes[0] === HANDSHAKE)
    })
  })
}

function rejectTunnel(socket: Socket, status: 400 | 403, message: string): void {
  const text = toRefusalText(status, message)
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close`
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${text}`)
}

function nameOf(authority: string): string {
  return authority.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}

function withoutDefault(authority: string, isSecure: boolean): string {
  return authority.replace(isSecure ? /:443$/ : /:80$/, '')
}

export function refuse(reply: ServerResponse, status: number, message: string, headers: Record<string, string> = {}) {
  const text = toRefusalText(status, message)
  reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text)
}

function toRefusalText(status: number, message: string): string {
  const code = status === 403 ? 'ForbiddenError' : status === 404 ? 'NotFoundError' : 'ProxyError'
  return JSON.stringify({ error: { code, message, details: [] } })
}

type Answer = (request: IncomingMessage, reply: ServerResponse) => void

/** Maximum number of requests per connection that may wait for their responses. */
const MOST_PIPELINED = 16

/** With this many pending requests, the connection closes after the last. Later requests are dropped. */
export function limitPipelining(answer: Answer): Answer {
  const waiting = new WeakMap<Duplex, Set<ServerResponse>>()
  const full = new WeakSet<Duplex>()
  return (request, reply) => {
    const { socket } = request
    if (full.has(socket)) return void request.resume()
    const replies = waiting.get(socket) ?? new Set()
    waiting.set(socket, replies.add(reply))
    reply.once('finish', () => replies.delete(reply))
    if (replies.size >= MOST_PIPELINED) {
      full.add(socket)
      reply.shouldKeepAlive = false
    }
    answer(request, reply)
  }
}

/** `key` and `cert` are in PEM format. `until` is in milliseconds since 1970. */
interface Leaf {
  key: string
  cert: string
  until: number
}

/** Milliseconds before its end at which a certificate is renewed, so that clients never receive an expired one. */
const LEFT = 24 * 60 * 60 * 1000

function createSecureContexts(certify: (host: string) => Promise<Leaf>, now: () => number) {
  const contexts = new Map<string, Promise<{ context: SecureContext; until: number }>>()
  return async (host: string): Promise<SecureContext> => {
    const known = await contexts.get(host)
    if (known && known.until - now() > LEFT) return known.context
    const made = certify(host).then(({ key, cert, until }) => ({ context: createSecureContext({ key, cert }), until }))
    contexts.set(host, made)
    made.catch(() => contexts.delete(host))
    return (await made).context
  }
}
