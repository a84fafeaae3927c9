import * as z from 'zod'
import { instant } from '../formats.ts'
import type { StatusRange } from '../status-range.ts'
import { type RequestMatch, requestMatch } from './request-match.ts'
import { variationKinds } from './variation.ts'

const message = z.object({
  headers: z.record(z.string(), z.string()).describe('Secrets left out'),
  body: z.unknown().optional().describe('JSON, or a text'),
  fields: z.unknown().optional().meta({ description: "A SOAP call's inputs by local element name" }),
})

/** Every refusal names its rule, and the document or choice behind it. */
const journalReason = z.object({
  code: z.string().describe('Such as NotFoundError'),
  message: z.string().describe('What is wrong, for people'),
  source: z.string().optional().describe('A document and its place, or our choice'),
  profile: z.string().optional().describe('The profile that the world was bent by'),
  findings: z
    .array(
      z.object({
        code: z.string().describe('Such as InvalidParameter'),
        message: z.string().describe('What is wrong, for people'),
        target: z.string().describe('Where: query.limit'),
        source: z.string().optional().describe('A document and its place, or our choice'),
      }),
    )
    .describe('All that is wrong'),
})

export const journalEntry = z.object({
  id: z.int().describe('Counts up'),
  kind: z.enum(['request', 'frame']).describe('A request, or a frame of an event stream'),
  at: instant.describe("When, by the world's clock"),
  operation: z.union([z.int(), z.string()]).optional().describe("Number of document 1's table, or a name"),
  caller: z.string().optional().meta({ description: 'Who called, as far as it is known' }),
  requestId: z.string().optional().describe('As the reply has it'),
  traceId: z.string().optional().meta({
    description:
      "The trace that it belongs to: of its span, or of the traceparent that was sent; a frame's is its stream's",
  }),
  method: z.string().optional().describe('Such as GET'),
  path: z.string().optional().meta({ description: "As it was sent, without the world's prefix" }),
  query: z.string().optional().describe('Without the question mark'),
  status: z.int().optional().meta({ description: 'Absent when nothing was answered' }),
  aborted: z.boolean().optional().describe('The reply broke off: its client left, or a fault cut it'),
  durationMs: z.number().optional().describe('Milliseconds of real time'),
  request: message.optional().describe('What came'),
  response: message.optional().describe('What was answered'),
  why: journalReason.optional().describe('Why it was refused'),
  ignored: z
    .array(
      z.object({
        name: z.string().describe('Such as query.zipcode'),
        near: z.string().optional().describe('What was probably meant, such as zipCode'),
      }),
    )
    .max(20)
    .optional()
    .meta({
      description: 'Parameters, body fields and headers `vendorus-...` that the operation does not know: the first 20',
    }),
  faults: z.array(z.string()).optional().meta({ description: 'Names or ids of the faults that struck it' }),
  variation: z
    .array(z.enum(variationKinds))
    .optional()
    .meta({ description: 'What its reply varied in, from what is shown here' }),
  tookOver: z.boolean().optional().meta({ description: 'A live stream of the subscription ended for this one' }),
  frame: z
    .object({
      subscriptionId: z.string().describe('Whose stream'),
      event: z.string().describe('Its type'),
      id: z.string().optional().describe('Its id, if it has one'),
      data: z.unknown().describe('What it carried'),
    })
    .optional()
    .describe('Of an event stream'),
})
export type JournalEntry = z.infer<typeof journalEntry>

export const journalPage = z.object({
  entries: z.array(journalEntry).meta({ description: 'Newest first' }),
  totalCount: z.int().describe('How many fit, on whatever page'),
})
export type JournalPage = z.infer<typeof journalPage>

export interface JournalQuery extends Pick<RequestMatch, 'operation' | 'method' | 'path' | 'caller'> {
  status?: StatusRange | undefined
  kind?: JournalEntry['kind'] | undefined
  /** Searches path, query, headers, bodies and data in any letter case. */
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
  status: z.int().optional().describe('Of the reply'),
  requestId: z.string().max(200).optional().describe('As the reply has it'),
  code: z.string().max(200).optional().meta({ description: 'Of the refusal, such as SlotUnavailable' }),
})
export type JournalMatch = z.input<typeof journalMatch>

export const journalVerify = z
  .strictObject({
    match: journalMatch,
    count: z.int().min(0).optional().meta({ description: 'Exactly so many' }),
    atLeast: z.int().min(0).optional(),
    withinMs: z
      .int()
      .min(0)
      .max(60_000)
      .default(0)
      .meta({ description: 'Waits up to so many milliseconds of real time' }),
  })
  .refine(({ count, atLeast }) => count === undefined || atLeast === undefined, 'takes count or atLeast, not both')
export type JournalVerify = z.output<typeof journalVerify>

export const journalVerdict = z.object({
  matched: z.boolean().describe('Whether it holds what is expected'),
  count: z.int().describe('How many entries fit'),
  entries: z.array(journalEntry).meta({ description: 'The newest 100 that fit' }),
  nearest: z
    .array(journalEntry.extend({ differs: z.array(z.string()).meta({ description: 'What does not fit' }) }))
    .meta({ description: 'When nothing fits: what comes closest' }),
})
export type JournalVerdict = z.infer<typeof journalVerdict>
