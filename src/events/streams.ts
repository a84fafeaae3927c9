import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requireStreamAccess, type StreamPass } from '../domain/events/stream-access.ts'
import { type Admission, admitStream, leaveStream } from '../domain/events/streams.ts'
import { errorBody } from '../http/json-errors.ts'
import { meetsFaults, strikeAnswer } from '../http/fault-injection.ts'
import { notesOf } from '../http/request-notes.ts'
import { streamHeaders } from '../http/connection/sse.ts'
import { noContent, type ZodApp } from '../http/zod.ts'
import { subscriptionId } from '../schemas/events/subscription.ts'
import { bearerOf } from './bearer.ts'
import type { Hub } from './hub.ts'
import type { Hubs } from './hubs.ts'

const PATH = '/filters/:subscriptionId/activate'

const params = z.object({ subscriptionId })
const querystring = z.object({
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

/** Document 2, section 4, row 5: the stream behind a registration address. */
export function streams(app: ZodApp, hubs: Hubs): void {
  // Any page may open a stream: what it needs is in its address, and no cookie counts.
  app.addHook('onRequest', async (_request, reply) => {
    if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*')
  })

  app.get(PATH, {
    exposeHeadRoute: false,
    config: { operation: 'stream', source: 'document 2, section 4' },
    schema: {
      tags: ['Stream'],
      summary: 'Open the event stream of a subscription',
      params,
      querystring,
      produces: ['text/event-stream'],
      response: {
        200: text,
        204: noContent.meta({ description: 'A newer connection has taken the stream over: do not come back' }),
        400: errorBody,
        401: errorBody,
        403: errorBody,
        404: errorBody,
        409: errorBody,
        429: errorBody,
        500: errorBody,
      },
    },
    handler: async (request, reply) => {
      const hub = hubs.of(request.ports)
      const pass = { ...passOf(request), lastEventId: readLastEventId(request) }
      return hubs.withPlace(hub, pass.subscriptionId, async () => {
        const admission = await admitStream(request.ports, pass)
        if (!admission) return reply.code(204).send(undefined)
        await open(hub, admission, request, reply)
        return reply
      })
    },
  })

  app.head(PATH, {
    schema: { params, querystring },
    handler: async (request, reply) => {
      await requireStreamAccess(request.ports, passOf(request))
      return reply.headers(streamHeaders).send()
    },
  })

  app.options(PATH, {
    schema: { params },
    handler: async (_request, reply) =>
      reply
        .code(204)
        .headers({
          allow: 'GET, HEAD, OPTIONS',
          'access-control-allow-methods': 'GET, HEAD',
          'access-control-allow-headers': 'authorization, cache-control, last-event-id',
          'access-control-max-age': '86400',
        })
        .send(),
  })
}

async function open(hub: Hub, admission: Admission, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  notesOf(request).caller = admission.token.user
  try {
    if (meetsFaults(request) && !(await strikeAnswer(request, reply, ''))) {
      return await leaveStream(request.ports, admission.claim)
    }
    await hub.open(admission, request, reply)
  } catch (error) {
    await leaveStream(request.ports, admission.claim)
    throw error
  }
}

function passOf(request: FastifyRequest): StreamPass {
  const { subscriptionId } = request.params as z.output<typeof params>
  const { key } = request.query as z.output<typeof querystring>
  return { subscriptionId, key, accessToken: bearerOf(request) }
}

/** The header counts before the query, whose two spellings are those of polyfills. */
function readLastEventId({ headers, query }: FastifyRequest): string | undefined {
  const shown = headers['last-event-id']
  const { lastEventId, lastEventID } = query as z.output<typeof querystring>
  return (Array.isArray(shown) ? shown.join() : shown) ?? lastEventId ?? lastEventID
}
