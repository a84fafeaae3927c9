import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

type Answer = (request: IncomingMessage, reply: ServerResponse) => void

interface Line {
  newest: ServerResponse
  waiting: number
}

/** Node reads requests on while others wait; a connection on which more wait is ended. */
const MOST_WAITING = 1000

/**
 * Requests of one connection are answered one after the other. A reply that Node kept back behind another would fill
 * the memory, and would not hear that its client has left.
 */
export function answerInTurn(answer: Answer): Answer {
  const lines = new WeakMap<Duplex, Line>()
  return (request, reply) => {
    const { socket } = request
    const line = lines.get(socket)
    if (!line || line.newest.writableFinished) {
      lines.set(socket, { newest: reply, waiting: 0 })
      return answer(request, reply)
    }
    line.newest.once('finish', () => {
      line.waiting--
      if (socket.writable) answer(request, reply)
    })
    line.newest = reply
    if (++line.waiting > MOST_WAITING) socket.destroy()
  }
}
