import type { FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { streamOperations } from '#contract/documents/events/streams.ts'
import { DomainError } from '../domain/errors.ts'
import { requireStreamAccess, type StreamPass } from '../domain/events/stream-access.ts'
import { type Admission, admitStream, leaveStream } from '../domain/events/streams.ts'
import { mayInjectFaults, injectFaultIntoReply } from '../chaos/fault-injection.ts'
import { recordRefusal } from '../http/request-context.ts'
import { type RequestContext, toOperations } from '../http/operations.ts'
import { streamHeaders } from '../http/connection/sse.ts'
import { requireConnection } from '../streams/event-connection.ts'
import { bearerOf } from './bearer.ts'
import type { Hub } from './hub.ts'
import type { Hubs } from './hubs.ts'

/** Pages of any origin may open a stream, because access to it does not depend on cookies. */
export function allowAnyPage(_request: FastifyRequest, reply: FastifyReply): undefined {
  if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*')
}

const NOT_AGAIN = 'a newer connection has replaced the stream of this client, which must not reconnect'

export function streams(hubs: Hubs) {
  return toOperations<undefined, typeof streamOperations>(streamOperations, {
    stream: async (request, reply) => {
      requireConnection(reply)
      const hub = hubs.of(request.ports)
      const pass = { ...passOf(request), lastEventId: readLastEventId(request) }
      return hubs.withPlace(request.ports, pass.subscriptionId, async () => {
        const admission = await admitStream(request.ports, pass)
        // Returns 204, which stops the client from reconnecting, because a newer connection has replaced its stream.
        if (!admission) {
          recordRefusal(request, new DomainError('conflict', NOT_AGAIN, { source: 'our choice: one-stream' }))
          return undefined
        }
        await open(hub, admission, request, reply)
        return reply
      })
    },
    probe: async (request, reply) => {
      await requireStreamAccess(request.ports, passOf(request))
      return reply.headers(streamHeaders).send()
    },
    preflight: async (_request, reply) => {
      reply.headers({
        allow: 'GET, HEAD, OPTIONS',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'authorization, cache-control, last-event-id',
        'access-control-max-age': '86400',
      })
    },
  })
}

type StreamOperation = (typeof streamOperations)['stream']
type StreamRequest = RequestContext<undefined, z.output<StreamOperation['params']>, z.output<StreamOperation['query']>>

async function open(hub: Hub, admission: Admission, request: StreamRequest, reply: FastifyReply): Promise<void> {
  request.context.caller = admission.token.user
  request.context.tookOver = admission.tookOver
  try {
    const hits = mayInjectFaults(request)
      ? await injectFaultIntoReply(request, reply, undefined)
      : { payload: undefined }
    if (hits && hits.payload === undefined) return await hub.open(admission, request, reply)
    await leaveStream(request.ports, admission.claim)
    if (hits) reply.headers(streamHeaders).send(hits.payload)
  } catch (error) {
    await leaveStream(request.ports, admission.claim)
    throw error
  } finally {
    const { recorded } = request.context
    recorded?.recorder.release(recorded)
  }
}

function passOf(request: StreamRequest): StreamPass {
  return { subscriptionId: request.params.subscriptionId, key: request.query.key, accessToken: bearerOf(request) }
}

/** The header takes precedence. Polyfills use either spelling of the parameter. */
function readLastEventId({ headers, query: { lastEventId, lastEventID } }: StreamRequest): string | undefined {
  const shown = headers['last-event-id']
  return (Array.isArray(shown) ? shown.join() : shown) ?? lastEventId ?? lastEventID
}
