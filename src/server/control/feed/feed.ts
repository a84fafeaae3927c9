import type { FastifyInstance } from 'fastify'
import { feedOperations } from '#contract/control/status.ts'
import { operationOf } from '#server/http/request-notes.ts'
import { EventConnection } from '#server/streams/event-connection.ts'
import { type ControlContext, implementControl } from '../context.ts'
import { WorldFeed } from './world-feed.ts'

/** These operations change nothing that a watcher shows. */
const questions: readonly unknown[] = ['verifyJournal', 'checkCard', 'issueCertificate', 'speakMcp']

export function feed(app: FastifyInstance, { worlds }: ControlContext) {
  const feeds = new Set<WorldFeed>()
  const endAll = () => {
    for (const each of feeds) each.end()
  }
  app.answered.addEventListener('abort', endAll, { once: true })
  app.addHook('onResponse', async (request, reply) => {
    const { method, ports } = request
    const operation = operationOf(request)
    if (method === 'GET' || reply.statusCode >= 400 || questions.includes(operation)) return
    for (const each of feeds) each.tellOfChange(ports.world.name, String(operation))
  })
  return implementControl(feedOperations, {
    watch: async (request, reply) => {
      const { ports } = request
      app.closing.throwIfAborted()
      const opened = new WorldFeed(ports, new EventConnection(request, reply, 'retry: 1000\n\n'))
      feeds.add(opened)
      void opened
        // A reset, restored or deleted world ends the feed; the watcher connects again.
        .run(() => worlds.find(ports.world.name) === ports)
        .catch((error: Error) => request.log.warn({ err: error }, 'a feed has ended'))
        .finally(() => feeds.delete(opened))
      return reply
    },
  })
}
