import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FaultResponse, Throttling } from '#contract/records/control/fault-response.ts'
import { resetConnection } from '../http/connection/connections.ts'
import { SpoiledWrites } from './spoiled-writes.ts'

/** The connection is reset at once, or left open until the client leaves or the server closes. */
export function loseReply(request: FastifyRequest, reply: FastifyReply, respond: FaultResponse): void {
  const { raw } = reply
  const { server, notes } = request
  notes.unanswered = true
  server.reportReply(request, reply)
  reply.hijack()
  const lose = (socket: Socket) => {
    if ('reset' in respond) return resetConnection(socket)
    // Only a connection that is read tells that its client has left.
    request.raw.resume()
    const end = () => resetConnection(socket)
    server.closing.addEventListener('abort', end)
    socket.once('close', () => server.closing.removeEventListener('abort', end))
  }
  // A pipelined reply gets the socket after those before it, an injected one never.
  if (raw.socket) lose(raw.socket)
  else raw.once('socket', lose)
}

export function sendThrottled(request: FastifyRequest, reply: FastifyReply, body: Buffer, throttling: Throttling) {
  const { raw } = reply
  const { server } = request
  server.reportReply(request, reply, body.toString(), body)
  const headers = { ...(reply.getHeaders() as Record<string, string>), 'content-length': String(body.length) }
  reply.hijack()
  raw.writeHead(reply.statusCode, headers).flushHeaders()
  const reset = () => {
    if (raw.socket) resetConnection(raw.socket)
  }
  const spoiled = new SpoiledWrites({ write: (bytes, whenWritten) => raw.write(bytes, whenWritten), reset }, throttling)
  spoiled.write([body], 'cut' in throttling ? reset : () => raw.end())
  server.closing.addEventListener('abort', reset, { once: true })
  raw.once('close', () => {
    spoiled.stop()
    server.closing.removeEventListener('abort', reset)
  })
}
