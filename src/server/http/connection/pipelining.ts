import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { hasBody, type NewestReplies } from './connections.ts'

/** Requests of one connection that may wait for their responses. */
const MOST_PIPELINED = 16

/**
 * Node handles pipelined requests in parallel and sends their responses in order. The last of 16 pending requests
 * closes its connection, and later requests are dropped.
 */
export function limitPipelining({ server, routing }: FastifyInstance, newest: NewestReplies): void {
  const queues = new WeakMap<Socket, Set<ServerResponse>>()

  function openQueue(socket: Socket): Set<ServerResponse> {
    const queue = new Set<ServerResponse>()
    queues.set(socket, queue)
    socket.once('close', () => {
      // Node closes only the response that has the socket.
      for (const reply of queue) if (!reply.socket) reply.emit('close')
    })
    return queue
  }

  function enqueue(socket: Socket, reply: ServerResponse): void {
    const queue = queues.get(socket) ?? openQueue(socket)
    queue.add(reply)
    reply.once('finish', () => queue.delete(reply))
    // The first response is not in the queue.
    if (queue.size + 1 >= MOST_PIPELINED) reply.shouldKeepAlive = false
  }

  function receive(request: IncomingMessage, reply: ServerResponse): void {
    const { socket } = request
    const before = newest.get(socket)
    const isPipelined = before !== undefined && !before.writableFinished
    // The socket may end while the piece with this request is read.
    if (socket.destroyed || (isPipelined && !before.shouldKeepAlive)) return void request.resume()
    newest.set(socket, reply)
    if (isPipelined) enqueue(socket, reply)
    routing(request, reply)
  }
  server.removeAllListeners('request').on('request', receive)
  // Node would answer 417 itself, without a word.
  server.on('checkExpectation', (request, reply) => server.emit('request', request, reply))
  server.on('checkContinue', (request, reply) => {
    if (hasBody(request)) continueWhenRead(request, reply)
    else reply.writeContinue()
    server.emit('request', request, reply)
  })
}

/** Node would ask for the body before the head is checked. */
function continueWhenRead(request: IncomingMessage, reply: ServerResponse): void {
  const { _read: read } = request
  request.awaitsContinue = true
  const readAfterContinue = (size: number) => {
    if (request.awaitsContinue && !reply.headersSent) {
      request.awaitsContinue = false
      reply.writeContinue()
    }
    read.call(request, size)
  }
  Object.assign(request, { _read: readAfterContinue })
}
