import { z } from 'zod'
import { noContent } from '../operation.ts'
import { chaos, streamDescription } from '../records/events/stream.ts'
import { subscriptionId } from '../records/events/subscription.ts'
import { pageOf } from '../records/parameters.ts'
import { defineControl } from './define.ts'

export const streamOperations = defineControl('Streams', {
  listStreams: {
    summary: 'The live streams of this instance',
    reply: pageOf(streamDescription),
  },
  disturbStream: {
    summary: 'Disturb a live stream of this instance, to see how its client takes it',
    params: z.object({ subscriptionId }),
    body: chaos,
    reply: noContent,
    otherStatuses: [400, 404],
    example: { needs: 'subscriptionId of an open stream, from listStreams' },
  },
})
