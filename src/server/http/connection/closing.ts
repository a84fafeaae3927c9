import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '#server/domain/errors.ts'
import type { NewestReplies } from './connections.ts'
import { lookForUnread, type OpenConnections } from './open-connections.ts'

/** Balancers learn in this time that the server leaves. */
interface Drain {
  isAnnounced: boolean
  /** `/health/ready` fails from now on, and each reply closes its connection; new ones are still taken. */
  announce(): void
  /** By `performance.now()`: a response that is due later is not awaited. Infinite until the server closes. */
  endsAt: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Pending work listens to it and ends with its reason immediately. */
    closing: AbortSignal
    /** Streams end on it, after all other responses and the last event. */
    answered: AbortSignal
    drain: Drain
  }
}

/** A request that is on its way when the server closes may still arrive within this time. */
const ARRIVAL_TIME = 800
/** Milliseconds after which a stalled response has no reader. System buffers hide slower readers. */
const SILENCE = 1500
/** Delays and streams wait no longer for what is not yet answered. */
const ANSWERING_TIME = 4000
/** Every connection is over by then, which leaves a part of the 5 s of SIGTERM to spans and stores. */
const LONGEST = 4300
const LOOK_EVERY = 10
const END_EVERY = 100

/**
 * Responds to requests that have arrived, and then ends streams. Idle connections close immediately, incomplete
 * requests and unread responses after a moment. Browsers open spare connections, for which Node would wait 10 seconds.
 */
export function closeInTime(app: FastifyInstance, connections: OpenConnections, replies: NewestReplies): void {
  const closing = new AbortController()
  const answered = new AbortController()
  // Each waiting request adds a listener.
  setMaxListeners(0, closing.signal)
  app.decorate('closing', closing.signal)
  app.decorate('answered', answered.signal)
  app.decorate('drain', createDrain(app))

  /** It may still emit an event; what only asks may not, nor a reply that has begun. */
  function isWorkedOn(socket: Socket): boolean {
    const reply = replies.get(socket)
    if (reply === undefined || reply.headersSent || connections.isStream(socket)) return false
    return !socket.destroyed && reply.req.method !== 'GET'
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
    // Node writes `Connection: close` into responses in flight, so that clients do not reuse the connection.
    for (const socket of connections.list()) {
      const reply = replies.get(socket)
      if (reply) reply.shouldKeepAlive = false
    }
    app.drain.endsAt = performance.now() + ANSWERING_TIME
    closing.abort(new DomainError('closing', 'the server is closing', { source: 'our choice: further-statuses' }))
    const look = () => {
      if (![...connections.list()].some(isWorkedOn)) answered.abort()
    }
    look()
    // Closing all connections would reset requests in flight; waiting only for idle ones would wait for their next
    // request.
    const endUnread = lookForUnread(connections, SILENCE / END_EVERY)
    timers = [
      setInterval(look, LOOK_EVERY),
      setInterval(() => {
        app.server.closeIdleConnections()
        endUnread()
      }, END_EVERY),
      setInterval(destroyAll, ARRIVAL_TIME, isArriving),
      setTimeout(() => answered.abort(), ANSWERING_TIME),
      setTimeout(destroyAll, LONGEST, () => true),
    ]
    app.server.closeIdleConnections()
  })
  app.addHook('onClose', async () => timers.forEach(clearTimeout))
}

/** Until the announcement a request costs nothing. */
function createDrain({ server }: FastifyInstance): Drain {
  return {
    isAnnounced: false,
    endsAt: Infinity,
    announce() {
      this.isAnnounced = true
      server.prependListener('request', (_: IncomingMessage, reply: ServerResponse) => {
        reply.shouldKeepAlive = false
      })
    },
  }
}
