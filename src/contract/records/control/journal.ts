import * as z from 'zod'
import { instant } from '../formats.ts'
import { readStatusRange, STATUS_RANGE, type StatusRange } from '../status-range.ts'
import { type RequestMatch, requestMatch } from './request-match.ts'
import { variationKinds } from './variation.ts'

/** Event type of the journal entry for the end of a stream. */
export const STREAM_END = 'STREAM_END'

const message = z.object({
  headers: z.record(z.string(), z.string()).describe('Headers as received or sent'),
  body: z.unknown().optional().describe('Body as parsed JSON or as text'),
  fields: z.unknown().optional().describe('Inputs of a SOAP call by local element name'),
})

const journalReason = z.object({
  code: z.string().describe('Error code, for example NotFoundError'),
  message: z.string().describe('Error message'),
  source: z.string().optional().describe('Violated rule: a place in a document, or our choice'),
  profile: z.string().optional().describe('Name of the profile that was applied'),
  findings: z
    .array(
      z.object({
        code: z.string().describe('Error code, for example InvalidParameter'),
        message: z.string().describe('Error message'),
        target: z.string().describe('Invalid input, for example query.limit'),
        source: z.string().optional().describe('Violated rule: a place in a document, or our choice'),
      }),
    )
    .describe('All validation errors'),
})

export const journalEntry = z.object({
  id: z.int().describe('Sequential ID of the entry'),
  kind: z
    .enum(['request', 'frame'])
    .describe('request: an HTTP request. frame: a frame of an event stream, or its end (event STREAM_END).'),
  at: instant.describe('Time of the entry (world clock)'),
  operation: z.union([z.int(), z.string()]).optional().describe('Operation number of document 1, or operation name'),
  caller: z.string().optional().describe('Identity of the caller, if known'),
  requestId: z.string().optional().describe('Value of the response header x-request-id'),
  traceId: z
    .string()
    .optional()
    .describe('Trace ID of the span or of the received traceparent header. A frame has the trace ID of its stream.'),
  method: z.string().optional().describe('HTTP method'),
  path: z.string().optional().describe('Path as received, without the prefix of the world'),
  query: z.string().optional().describe('Query string without the question mark'),
  status: z.int().optional().describe('HTTP status. Absent if no response was sent.'),
  aborted: z.boolean().optional().describe('Whether the response was interrupted by the client or by a fault'),
  durationMs: z.number().optional().describe('Duration in milliseconds of real time'),
  request: message.optional().describe('Received request'),
  response: message.optional().describe('Sent response'),
  why: journalReason.optional().describe('Cause of the error response, or of a 204 that found nothing'),
  ignored: z
    .array(
      z.object({
        name: z.string().describe('Name or path of the value, for example query.zipcode'),
        value: z.string().optional().describe('Value that is applied but matches nothing, for example swich'),
        near: z.string().optional().describe('Suggestion, for example zipCode'),
      }),
    )
    .max(20)
    .optional()
    .describe(
      'First 20 names and values that had no effect or another effect: unknown parameters, body fields and ' +
        '`vendorus-` headers, misspelled `partnerCode` headers, unusable values that were tolerated, and unknown ' +
        'event types, capabilities, attributes and components of a filter',
    ),
  faults: z.array(z.string()).optional().describe('Names or IDs of the faults that affected the request'),
  processed: z
    .boolean()
    .optional()
    .describe('Whether the operation succeeded before a fault changed or lost its response'),
  variation: z
    .array(z.enum(variationKinds))
    .optional()
    .describe('Kinds of variation that were applied to the response after it was recorded here'),
  tookOver: z.boolean().optional().describe('Whether this stream replaced an open stream of the subscription'),
  frame: z
    .object({
      subscriptionId: z.string().describe('ID of the subscription'),
      event: z.string().describe('Event type. STREAM_END is not sent: it shows why the stream ended.'),
      id: z.string().optional().describe('Event ID, if any'),
      data: z.unknown().describe('Data of the event'),
    })
    .optional()
    .describe('Frame of an event stream'),
})
export type JournalEntry = z.infer<typeof journalEntry>

export const journalPage = z.object({
  entries: z.array(journalEntry).describe('Newest first'),
  totalCount: z.int().describe('Number of matching entries on all pages'),
})
export type JournalPage = z.infer<typeof journalPage>

export interface JournalQuery extends Pick<RequestMatch, 'operation' | 'method' | 'path' | 'caller'> {
  status?: StatusRange | undefined
  kind?: JournalEntry['kind'] | undefined
  /** Text to search for in paths, queries, headers, bodies and event data. Case is ignored. */
  q?: string | undefined
  traceId?: string | undefined
  refused?: boolean | undefined
  since?: string | undefined
  before?: number | undefined
  offset?: number | undefined
  limit?: number | undefined
}

export const journalMatch = z.strictObject({
  ...requestMatch.shape,
  status: z
    .union([z.int(), z.string().refine((text) => readStatusRange(text) !== undefined, STATUS_RANGE)], STATUS_RANGE)
    .optional()
    .describe('HTTP status of the response, a class or a range: 404, 4xx or 400-499'),
  requestId: z.string().max(200).optional().describe('Value of the response header x-request-id'),
  code: z.string().max(200).optional().describe('Error code, for example SlotUnavailable'),
})
export type JournalMatch = z.input<typeof journalMatch>

export const journalVerify = z
  .strictObject({
    match: journalMatch,
    count: z.int().min(0).optional().describe('Exact number of matching entries'),
    atLeast: z.int().min(0).optional().describe('Minimum number of matching entries'),
    withinMs: z.int().min(0).max(60_000).default(0).describe('Maximum waiting time in milliseconds of real time'),
  })
  .refine(({ count, atLeast }) => count === undefined || atLeast === undefined, 'must have count or atLeast, not both')
export type JournalVerify = z.output<typeof journalVerify>

const matchDifference = z.object({
  name: z.string().meta({ description: 'Criterion, or field of a criterion', example: 'query.zipCode' }),
  expected: z.unknown().describe('Value in `match`'),
  actual: z.unknown().optional().describe('Value in the entry. Absent if the entry has none.'),
})
export type MatchDifference = z.infer<typeof matchDifference>

export const journalVerdict = z.object({
  matched: z.boolean().describe('Whether the expected number of entries matches'),
  count: z.int().describe('Number of matching entries'),
  entries: z.array(journalEntry).describe('Newest 100 matching entries'),
  nearest: z
    .array(
      journalEntry.extend({
        differs: z.array(matchDifference).describe('Differences from the expected match'),
      }),
    )
    .describe('Closest other entries if too few entries match'),
})
export type JournalVerdict = z.infer<typeof journalVerdict>
