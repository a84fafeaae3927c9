import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { MOST_HEADERS, type NewestReplies, refuseHeaders } from './connections.ts'
import type { OpenConnections } from './open-connections.ts'

/** So many requests are read behind a stream: only a connection that is read tells that its client has left. */
const MOST_BEHIND_STREAM = 16

export interface TurnOptions {
  replies: NewestReplies
  mostWaiting: number
  isStream: OpenConnections['isStream']
}

/**
 * Requests of one connection are answered one after the other: nothing is made for one before the reply before it has
 * left. A reply that Node kept back behind another would fill the memory, and would not hear that its reader is gone.
 * While requests of a connection wait it is not read on: Node would end it at the half-close of a client that has sent
 * all, which is right for a stream alone. When more than `mostWaiting` wait on all connections together, the one on which
 * most do is ended.
 */
export function answerInTurn(
  { server, routing }: FastifyInstance,
  { replies, mostWaiting, isStream }: TurnOptions,
): void {
  const lines = new Map<Socket, { waiting: number }>()
  let waiting = 0

  function openLine(socket: Socket) {
    const line = { waiting: 0 }
    lines.set(socket, line)
    socket.once('close', () => {
      leave(line)
      lines.delete(socket)
    })
    // Node resumes the socket when a request is complete.
    socket.on('resume', () => {
      if (isHeld(socket, line)) socket.pause()
    })
    return line
  }

  function isHeld(socket: Socket, line: { waiting: number }): boolean {
    return line.waiting > (isStream(socket) ? MOST_BEHIND_STREAM : 0)
  }

  function leave(line: { waiting: number }): void {
    waiting -= line.waiting
    line.waiting = 0
  }

  function endLongest(): void {
    const [longest] = [...lines].sort(([, a], [, b]) => b.waiting - a.waiting)
    leave(longest![1])
    longest![0].destroy()
  }

  // Each connection stands here at most once.
  const queue: (() => void)[] = []

  /** One request begins in each turn of the event loop, so that others come in between. */
  function queueUp(take: () => void): void {
    if (queue.push(take) === 1) setImmediate(takeFirst)
  }

  function takeFirst(): void {
    const take = queue.shift()
    if (queue.length > 0) setImmediate(takeFirst)
    take?.()
  }

  function waitFor(before: ServerResponse, socket: Socket, answer: () => void): void {
    const line = lines.get(socket) ?? openLine(socket)
    line.waiting++
    if (++waiting > mostWaiting) endLongest()
    if (isHeld(socket, line)) socket.pause()
    const take = () => {
      // Nothing is answered behind the last reply of a connection.
      if (!socket.writable) return
      line.waiting--
      waiting--
      if (line.waiting === 0) socket.resume()
      answer()
    }
    before.once('finish', () => queueUp(take))
  }

  const inTurn = (answer: (request: IncomingMessage, reply: ServerResponse) => void) => {
    return (request: IncomingMessage, reply: ServerResponse) => {
      const { socket } = request
      const before = replies.get(socket)
      replies.set(socket, reply)
      const isFat = request.rawHeaders.length >= 2 * MOST_HEADERS
      const act = () => (isFat ? refuseHeaders(socket) : answer(request, reply))
      // The socket may end while the piece with this request is read.
      if (socket.destroyed) return
      if (!before || before.writableFinished) act()
      else waitFor(before, socket, act)
    }
  }
  server.removeAllListeners('request').on('request', inTurn(routing))
  // Node would answer it at once, before waiting requests.
  server.on(
    'checkExpectation',
    inTurn((_request, reply) => void reply.writeHead(417).end()),
  )
}
