import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { hasBody, type NewestReplies } from './connections.ts'

/** Maximum number of requests per connection that may wait for their responses. */
const MOST_PIPELINED = 16

/** Node runs pipelined requests in parallel. At the limit, later ones are dropped and the connection is closed. */
export function limitPipelining({ server, routing }: FastifyInstance, newest: NewestReplies): void {
  const queues = new WeakMap<Socket, Set<ServerResponse>>()

  function openQueue(socket: Socket): Set<ServerResponse> {
    const queue = new Set<ServerResponse>()
    queues.set(socket, queue)
    socket.once('close', () => {
      // When a socket closes, Node emits `close` only for the response that has the socket.
      for (const reply of queue) if (!reply.socket) reply.emit('close')
    })
    return queue
  }

  function enqueue(socket: Socket, reply: ServerResponse): void {
    const queue = queues.get(socket) ?? openQueue(socket)
    queue.add(reply)
    reply.once('finish', () => queue.delete(reply))
    // The first response of the connection is not in the queue.
    if (queue.size + 1 >= MOST_PIPELINED) reply.shouldKeepAlive = false
  }

  function receive(request: IncomingMessage, reply: ServerResponse): void {
    const { socket } = request
    const before = newest.get(socket)
    const isPipelined = before !== undefined && !before.writableFinished
    // The socket may be closed while Node still parses the chunk that contains this request.
    if (socket.destroyed || (isPipelined && !before.shouldKeepAlive)) return void request.resume()
    newest.set(socket, reply)
    if (isPipelined) enqueue(socket, reply)
    routing(request, reply)
  }
  server.removeAllListeners('request').on('request', receive)
  // Without this listener, Node would respond with 417 and without an error body.
  server.on('checkExpectation', (request, reply) => server.emit('request', request, reply))
  server.on('checkContinue', (request, reply) => {
    if (hasBody(request)) continueWhenRead(request, reply)
    else reply.writeContinue()
    server.emit('request', request, reply)
  })
}

/** By default, Node sends `100 Continue` before the hooks have checked the headers. */
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
