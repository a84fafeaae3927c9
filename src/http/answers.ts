import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { meetsFaults, strikeAnswer } from './fault-injection.ts'
import { notesOf } from './request-notes.ts'

/** Told of an answer, with its text where it has one. */
export type Witness = (request: FastifyRequest, reply: FastifyReply, text?: string) => void

/**
 * Tells of every answer just before it leaves, so that whoever has it finds it counted and journaled. Hearing when it
 * has left would cost each request two listeners. Replies taken over from Fastify, such as streams, tell it themselves.
 */
export function watchAnswers(app: FastifyInstance, witness: Witness): void {
  const tellers = new Set<unknown>()

  // Behind all hooks of the route, which may still change the answer. A HEAD route begins as a copy of its GET route.
  app.addHook('onRoute', (route) => {
    const notes = { url: route.url, operation: route.config?.operation }
    const tell: onSendHookHandler = (request, reply, payload, done) => {
      notesOf(request).route = notes
      const finish = (sent: unknown) => {
        witness(request, reply, typeof sent === 'string' ? sent : undefined)
        done(null, sent)
      }
      if (!meetsFaults(request)) return finish(payload)
      strikeAnswer(request, reply, payload).then((left) => left && finish(left.payload), done)
    }
    tellers.add(tell)
    route.onSend = [...[route.onSend ?? []].flat().filter((each) => !tellers.has(each)), tell]
  })
  // Unknown paths have no route.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.is404) witness(request, reply, typeof payload === 'string' ? payload : undefined)
    done()
  })
}
