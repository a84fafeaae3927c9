import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The time between the word that the server leaves and its end, in which balancers hear of it. */
export interface Departure {
  readonly isAnnounced: boolean
  /** From now on `/health/ready` fails, and each reply is its connection's last; new ones are taken as before. */
  announce(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    departure: Departure
  }
}

/** Costs a request nothing until it is announced. */
export function prepareDeparture(app: FastifyInstance): void {
  let isAnnounced = false
  app.decorate('departure', {
    getter: () => ({
      isAnnounced,
      announce() {
        if (isAnnounced) return
        isAnnounced = true
        app.server.prependListener('request', (_: IncomingMessage, reply: ServerResponse) => {
          reply.shouldKeepAlive = false
        })
      },
    }),
  })
}
