import * as z from 'zod'
import { defineOperations, noContent } from '#contract/operation.ts'
import { subscriptionId } from '#contract/records/events/subscription.ts'

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

/** Document 2, section 4, row 5: the stream behind a registration address. */
export const streamOperations = defineOperations(
  { scope: 'anyPage', tag: 'Stream' },
  {
    stream: {
      route: `GET ${PATH}`,
      headRoute: false,
      summary: 'Open the event stream of a subscription',
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
      summary: 'Whether the stream would open',
      params,
      query,
      reply: noContent,
    },
    preflight: {
      unlisted: true,
      route: `OPTIONS ${PATH}`,
      summary: 'What a page may ask for',
      params,
      reply: noContent,
    },
  },
)
