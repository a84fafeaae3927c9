import { z } from 'zod'
import { disturbStream, listStreams } from '../domain/events/streams.ts'
import { noContent } from '../../contract/operation.ts'
import { chaos, streamDescription } from '../../contract/records/events/stream.ts'
import { subscriptionId } from '../../contract/records/events/subscription.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Streams')

export const streams = [
  declare({
    operation: 'listStreams',
    route: 'GET /_control/streams',
    summary: 'The live streams of this instance',
    reply: z.object({ items: z.array(streamDescription), totalCount: z.int() }),
    run: async ({ ports }) => {
      const items = listStreams(ports)
      return { items, totalCount: items.length }
    },
  }),

  declare({
    operation: 'disturbStream',
    route: 'POST /_control/streams/:subscriptionId/chaos',
    summary: 'Disturb a live stream of this instance, to see how its client takes it',
    params: z.object({ subscriptionId }),
    body: chaos,
    reply: noContent,
    further: [400, 404],
    run: async ({ ports, params, body }) => disturbStream(ports, params.subscriptionId, body),
  }),
]
