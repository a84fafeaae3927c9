import { setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '#server/domain/errors.ts'
import type { NewestReplies } from './connections.ts'
import { lookForUnread, type OpenConnections } from './open-connections.ts'

/** The time in which load balancers find out that the server is stopping. */
interface Drain {
  isAnnounced: boolean
  /** Lets `/health/ready` fail and adds `Connection: close` to every response. New connections are still accepted. */
  announce(): void
  /** A `performance.now()` timestamp, or `Infinity` until the server closes. The shutdown awaits no later response. */
  endsAt: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the server closes. Pending waits then end immediately, with the reason of this signal. */
    closing: AbortSignal
    /** Aborts after all other responses are sent. Streams then send their last event and end. */
    answered: AbortSignal
    drain: Drain
  }
}

/** Milliseconds to wait for requests that were already in transit when the server closed. */
const ARRIVAL_TIME = 800
/** Milliseconds after which a stalled response is treated as unread. */
const SILENCE = 1500
/** Milliseconds after which delays and streams end even if responses are still pending. */
const ANSWERING_TIME = 4000
/** Milliseconds after which every connection is closed. Spans and stores get the rest of SIGTERM's 5 seconds. */
const LONGEST = 4300
const LOOK_EVERY = 10
const END_EVERY = 100

/**
 * Responds to requests that have arrived, then ends streams. Connections without a complete request (Node would wait 10
 * seconds for them) or with unread responses close after a short delay.
 */
export function closeInTime(app: FastifyInstance, connections: OpenConnections, replies: NewestReplies): void {
  const closing = new AbortController()
  const answered = new AbortController()
  // Every waiting request adds a listener, so Node must not warn about their number.
  setMaxListeners(0, closing.signal)
  app.decorate('closing', closing.signal)
  app.decorate('answered', answered.signal)
  app.decorate('drain', createDrain(app))

  /** A request that may change data can still emit an event, so the streams wait for it. */
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
    // If `shouldKeepAlive` is false, Node adds `Connection: close`, and the client does not reuse the connection.
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
    // Closing all now would reset requests in transit. Closing only idle ones would let clients send new requests.
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
