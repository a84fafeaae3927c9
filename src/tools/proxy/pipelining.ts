import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

type Answer = (request: IncomingMessage, reply: ServerResponse) => void

/** Requests of one connection that may wait for their responses. */
const MOST_PIPELINED = 16

/** When so many requests of a connection wait, the last of them closes it, and further requests are dropped. */
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
