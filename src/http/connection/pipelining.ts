import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { NewestReplies } from './connections.ts'

/** A connection of which more requests wait is not read on: Node parses 64 KiB at a time, however many come in them. */
const LONG_LINE = 100
/** Requests that wait on all connections together; one that brings more is hung up on. */
const MOST_WAITING = 50_000

/**
 * Requests of one connection are answered one after the other: nothing is made for one before the reply before it has
 * left. A reply that Node kept back behind another would fill the memory, and would not hear that its reader is gone.
 */
export function answerInTurn({ server, routing }: FastifyInstance, replies: NewestReplies): void {
  const lines = new WeakMap<Socket, Line>()
  let waiting = 0

  function openLine(socket: Socket): Line {
    const line: Line = { length: 0, isHeld: false }
    lines.set(socket, line)
    socket.once('close', () => {
      waiting -= line.length
      line.length = 0
    })
    // Node reads on by itself when a request is complete.
    socket.on('resume', () => {
      if (line.isHeld) socket.pause()
    })
    return line
  }

  function waitFor(before: ServerResponse, socket: Socket, answer: () => void): void {
    const line = lines.get(socket) ?? openLine(socket)
    line.length++
    if (++waiting > MOST_WAITING) return void socket.destroy()
    if (line.length > LONG_LINE) {
      line.isHeld = true
      socket.pause()
    }
    const take = () => {
      // Behind a reply that was the connection's last nothing is answered.
      if (!socket.writable) return
      line.length--
      waiting--
      if (line.isHeld && line.length === 0) {
        line.isHeld = false
        socket.resume()
      }
      answer()
    }
    // Others have their turn between two.
    before.once('finish', () => setImmediate(take))
  }

  const inTurn = (answer: (request: IncomingMessage, reply: ServerResponse) => void) => {
    return (request: IncomingMessage, reply: ServerResponse) => {
      const { socket } = request
      const before = replies.get(socket)
      replies.set(socket, reply)
      if (!before || before.writableFinished) answer(request, reply)
      else waitFor(before, socket, () => answer(request, reply))
    }
  }
  server.removeAllListeners('request').on('request', inTurn(routing))
  // Node would answer it at once, before those that wait.
  server.on(
    'checkExpectation',
    inTurn((_request, reply) => void reply.writeHead(417).end()),
  )
}

/** The requests of a connection that wait. */
interface Line {
  length: number
  /** It is not read until they have been answered. */
  isHeld: boolean
}
