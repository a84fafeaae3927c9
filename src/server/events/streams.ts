import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requireStreamAccess, type StreamPass } from '../domain/events/stream-access.ts'
import { type Admission, admitStream, leaveStream } from '../domain/events/streams.ts'
import { meetsFaults, strikeReply } from '../chaos/fault-injection.ts'
import { type OperationRequest, operationsOf } from '../http/operations.ts'
import { streamHeaders } from '../http/connection/sse.ts'
import { noContent } from '../../contract/operation.ts'
import { subscriptionId } from '../../contract/records/events/subscription.ts'
import { bearerOf } from './bearer.ts'
import type { Hub } from './hub.ts'
import type { Hubs } from './hubs.ts'

const PATH = '/filters/:subscriptionId/activate'

const params = z.object({ subscriptionId })
const query = z.object({
  filterRegion: z.string().max(64).optional().meta({ description: 'Not looked at', example: 'local' }),
  key: z
    .string()
    .optional()
    .meta({ description: 'Opens the stream without a bearer; the registration address holds it' }),
  lastEventId: z
    .string()
    .optional()
    .meta({ description: 'In the place of Last-Event-ID, for clients that cannot send it', example: '1-42' }),
  lastEventID: z.string().optional().meta({ description: 'The same, as other clients spell it', example: '1-42' }),
})
const text = z
  .string()
  .meta({ description: 'Server-sent events: `event:` and `data:` lines; stream.yaml describes them' })

const declare = operationsOf<undefined>('Stream')

/** Any page may open a stream: what it needs is in its address, and no cookie counts. */
export function allowAnyPage(_request: FastifyRequest, reply: FastifyReply): undefined {
  if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*')
}

/** Document 2, section 4, row 5: the stream behind a registration address. */
export const streams = (hubs: Hubs) => [
  declare({
    operation: 'stream',
    route: `GET ${PATH}`,
    headRoute: false,
    summary: 'Open the event stream of a subscription',
    params,
    query,
    produces: ['text/event-stream'],
    reply: text,
    further: [204, 400, 401, 403, 404, 409, 429, 500],
    run: async (request, reply) => {
      const hub = hubs.of(request.ports)
      const pass = { ...passOf(request), lastEventId: readLastEventId(request) }
      return hubs.withPlace(request.ports, pass.subscriptionId, async () => {
        const admission = await admitStream(request.ports, pass)
        // A newer connection has taken the stream over: do not come back.
        if (!admission) return undefined
        await open(hub, admission, request, reply)
        return reply
      })
    },
  }),

  declare({
    route: `HEAD ${PATH}`,
    summary: 'Whether the stream would open',
    params,
    query,
    reply: noContent,
    run: async (request, reply) => {
      await requireStreamAccess(request.ports, passOf(request))
      return reply.headers(streamHeaders).send()
    },
  }),

  declare({
    route: `OPTIONS ${PATH}`,
    summary: 'What a page may ask for',
    params,
    reply: noContent,
    run: async (_request, reply) => {
      reply.headers({
        allow: 'GET, HEAD, OPTIONS',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'authorization, cache-control, last-event-id',
        'access-control-max-age': '86400',
      })
    },
  }),
]

type StreamRequest = OperationRequest<undefined, z.output<typeof params>, z.output<typeof query>>

async function open(hub: Hub, admission: Admission, request: StreamRequest, reply: FastifyReply): Promise<void> {
  request.notes.caller = admission.token.user
  request.notes.tookOver = admission.tookOver
  try {
    const struck = meetsFaults(request) ? await strikeReply(request, reply, undefined) : { payload: undefined }
    if (struck && struck.payload === undefined) return await hub.open(admission, request, reply)
    await leaveStream(request.ports, admission.claim)
    if (struck) reply.headers(streamHeaders).send(struck.payload)
  } catch (error) {
    await leaveStream(request.ports, admission.claim)
    throw error
  } finally {
    const { recorded } = request.notes
    recorded?.recorder.release(recorded)
  }
}

function passOf(request: StreamRequest): StreamPass {
  return { subscriptionId: request.params.subscriptionId, key: request.query.key, accessToken: bearerOf(request) }
}

/** The header counts before the query, whose two spellings are those of polyfills. */
function readLastEventId({ headers, query: { lastEventId, lastEventID } }: StreamRequest): string | undefined {
  const shown = headers['last-event-id']
  return (Array.isArray(shown) ? shown.join() : shown) ?? lastEventId ?? lastEventID
}
