import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'

/** Told of an answer, with its text where it has one. */
export type Witness = (request: FastifyRequest, reply: FastifyReply, text?: string) => void

/**
 * Tells of every answer just before it leaves, so that whoever has it finds it counted and journaled. Hearing when it
 * has left would cost each request two listeners. Replies taken over from Fastify, such as streams, tell it themselves.
 */
export function watchAnswers(app: FastifyInstance, witness: Witness): void {
  const tell: onSendHookHandler = (request, reply, payload, done) => {
    witness(request, reply, typeof payload === 'string' ? payload : undefined)
    done()
  }
  // Behind all hooks of the route, which may still change the answer.
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat().filter((each) => each !== tell), tell]
  })
  // Unknown paths have no route.
  app.addHook('onSend', function (request, reply, payload, done) {
    if (request.is404) tell.call(this, request, reply, payload, done)
    else done()
  })
}
