import * as z from 'zod'
import { defineOperations, noContent } from '#contract/operation.ts'
import { subscriptionId } from '#contract/records/events/subscription.ts'

const PATH = '/filters/:subscriptionId/activate'

const params = z.object({ subscriptionId })
const query = z.object({
  filterRegion: z.string().max(64).optional().meta({ description: 'Ignored', example: 'local' }),
  key: z.string().optional().describe('Key of the stream, from `registrationUrl`. Can replace the bearer token.'),
  lastEventId: z.string().optional().meta({
    description: 'ID of the last received event, for clients that cannot send the Last-Event-ID header',
    example: '1-42',
  }),
  lastEventID: z.string().optional().meta({ description: 'Alternative spelling of `lastEventId`', example: '1-42' }),
})
const text = z.string().describe('Server-sent events, described in stream.yaml')

/** The event stream: document 2, section 4, row 5. */
export const streamOperations = defineOperations(
  { scope: 'anyPage', tag: 'Stream' },
  {
    stream: {
      route: `GET ${PATH}`,
      headRoute: false,
      summary: 'Open an event stream',
      params,
      query,
      produces: ['text/event-stream'],
      reply: text,
      otherStatuses: [204, 400, 401, 403, 404, 409, 429, 500],
      example: { needs: 'subscriptionId, from createSubscription' },
    },
    probe: {
      unlisted: true,
      route: `HEAD ${PATH}`,
      summary: 'Check whether a stream would open',
      params,
      query,
      reply: noContent,
    },
    preflight: {
      unlisted: true,
      route: `OPTIONS ${PATH}`,
      summary: 'Answer a CORS preflight request',
      params,
      reply: noContent,
    },
  },
)
