import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain/errors.ts'
import type { NewestReplies } from './connections.ts'
import type { OpenConnections } from './open-connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted when the server closes: work that waits listens to it, throws its reason and is answered at once. */
    closing: AbortSignal
    /** Aborted when all that came before it closed has been answered: streams end on it, behind the last event. */
    answered: AbortSignal
  }
}

/** Milliseconds that a request which is on its way when the server closes has to arrive. */
const ARRIVAL_TIME = 800
/** Milliseconds that a client has, from then on, to read a reply that was made. */
const READING_TIME = 5000
const LOOK_EVERY = 10

/**
 * Ends in time: requests that have arrived finish, then streams end, idle connections go at once, and those that have
 * still not sent a whole request after a moment go too: browsers open connections ahead, and Node waits 10 seconds for
 * their first word.
 */
export function closeInTime(app: FastifyInstance, connections: OpenConnections, replies: NewestReplies): void {
  const closing = new AbortController()
  const answered = new AbortController()
  // Each request that waits is a listener.
  setMaxListeners(0, closing.signal)
  app.decorate('closing', { getter: () => closing.signal })
  app.decorate('answered', { getter: () => answered.signal })

  /** Nothing of its reply's end is there yet. */
  function isWorkedOn(socket: Socket): boolean {
    const reply = replies.get(socket)
    return reply !== undefined && !reply.writableEnded && !socket.destroyed && !connections.isStream(socket)
  }
  function isArriving(socket: Socket): boolean {
    const reply = replies.get(socket)
    return reply?.req.complete !== true || reply.writableFinished
  }
  function destroyAll(which: (socket: Socket) => boolean): void {
    for (const socket of connections.list()) if (which(socket)) socket.destroy()
  }

  let timers: NodeJS.Timeout[] = []
  app.addHook('preClose', async () => {
    closing.abort(new DomainError('closing', 'the server is closing', { source: null }))
    const look = () => {
      if (![...connections.list()].some(isWorkedOn)) answered.abort()
    }
    look()
    // Closing all would reset requests in flight; waiting for idle ones alone would wait for their next request.
    timers = [
      setInterval(look, LOOK_EVERY),
      setInterval(() => app.server.closeIdleConnections(), 100),
      setTimeout(destroyAll, ARRIVAL_TIME, isArriving),
      setTimeout(destroyAll, READING_TIME, (socket: Socket) => !isWorkedOn(socket)),
    ]
    app.server.closeIdleConnections()
  })
  app.addHook('onClose', async () => timers.forEach(clearTimeout))
}
