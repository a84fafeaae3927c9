import { z } from 'zod'
import { disturbStream, listStreams } from '../domain/events/streams.ts'
import { noContent } from '../http/zod.ts'
import { chaos, streamDescription } from '../schemas/events/stream.ts'
import { subscriptionId } from '../schemas/events/subscription.ts'
import { controlOperation } from './context.ts'

const tag = 'Streams'

export const streams = [
  controlOperation({
    operation: 'listStreams',
    method: 'GET',
    path: '/_control/streams',
    tag,
    summary: 'The live streams of this instance',
    reply: z.object({ items: z.array(streamDescription), totalCount: z.int() }),
    run: async ({ ports }) => {
      const items = listStreams(ports)
      return { items, totalCount: items.length }
    },
  }),

  controlOperation({
    operation: 'disturbStream',
    method: 'POST',
    path: '/_control/streams/:subscriptionId/chaos',
    tag,
    summary: 'Disturb a live stream of this instance, to see how its client takes it',
    params: z.object({ subscriptionId }),
    body: chaos,
    reply: noContent,
    further: [400, 404],
    run: async ({ ports, params, body }) => disturbStream(ports, params.subscriptionId, body),
  }),
]
