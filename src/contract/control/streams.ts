import { z } from 'zod'
import { defineOperations, noContent } from '../operation.ts'
import { chaos, streamDescription } from '../records/events/stream.ts'
import { subscriptionId } from '../records/events/subscription.ts'
import { controlRoutes } from './routes.ts'

export const streamOperations = defineOperations(
  { scope: 'control', tag: 'Streams' },
  {
    listStreams: {
      route: controlRoutes.listStreams,
      summary: 'The live streams of this instance',
      reply: z.object({ items: z.array(streamDescription), totalCount: z.int() }),
    },
    disturbStream: {
      route: controlRoutes.disturbStream,
      summary: 'Disturb a live stream of this instance, to see how its client takes it',
      params: z.object({ subscriptionId }),
      body: chaos,
      reply: noContent,
      further: [400, 404],
    },
  },
)
