import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain/errors.ts'
import type { NewestReplies } from './connections.ts'
import type { OpenConnections } from './open-connections.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Waiting work listens to it, throws its reason and is answered at once. */
    closing: AbortSignal
    /** Streams end on it, after everything else is answered and behind the last event. */
    answered: AbortSignal
  }
}

/** A request that is on its way when the server closes may still arrive within this time. */
const ARRIVAL_TIME = 800
/** After that its client has so long to read the reply. */
const READING_TIME = 5000
const LOOK_EVERY = 10

/**
 * Requests that have arrived finish, then streams end; idle connections go at once, and unfinished requests after a
 * moment: browsers open connections ahead, and Node would wait 10 seconds for them.
 */
export function closeInTime(app: FastifyInstance, connections: OpenConnections, replies: NewestReplies): void {
  const closing = new AbortController()
  const answered = new AbortController()
  // Each waiting request adds a listener.
  setMaxListeners(0, closing.signal)
  app.decorate('closing', { getter: () => closing.signal })
  app.decorate('answered', { getter: () => answered.signal })

  /** The reply has not begun to end. */
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
    // Closing all connections would reset requests in flight; waiting only for idle ones would wait for their next
    // request.
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
