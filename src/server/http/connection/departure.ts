import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Balancers learn in this time that the server leaves. */
export interface Departure {
  readonly isAnnounced: boolean
  /** `/health/ready` fails from now on, and each reply closes its connection; new ones are still taken. */
  announce(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    departure: Departure
  }
}

/** Until the announcement a request costs nothing. */
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
