import { z } from 'zod'
import { disturbStream, listStreams } from '../domain/events/streams.ts'
import { errorBody } from '../http/json-errors.ts'
import { noContent } from '../http/zod.ts'
import { chaos, streamDescription } from '../schemas/events/stream.ts'
import { subscriptionId } from '../schemas/events/subscription.ts'
import type { ControlApp } from './context.ts'

export function streams(app: ControlApp): void {
  const tags = ['Streams']

  app.get('/_control/streams', {
    config: { operation: 'listStreams' },
    schema: {
      tags,
      summary: 'The live streams of this instance',
      response: { 200: z.object({ items: z.array(streamDescription), totalCount: z.int() }), 403: errorBody },
    },
    handler: async ({ ports }) => {
      const items = listStreams(ports)
      return { items, totalCount: items.length }
    },
  })

  app.post('/_control/streams/:subscriptionId/chaos', {
    config: { operation: 'disturbStream' },
    schema: {
      tags,
      summary: 'Disturb a live stream of this instance, to see how its client takes it',
      params: z.object({ subscriptionId }),
      body: chaos,
      response: { 204: noContent, 400: errorBody, 403: errorBody, 404: errorBody },
    },
    handler: async ({ ports, params, body }, reply) => {
      disturbStream(ports, params.subscriptionId, body)
      return reply.code(204).send(undefined)
    },
  })
}
