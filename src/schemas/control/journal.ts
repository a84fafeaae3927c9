import { z } from 'zod'
import { instant } from '../formats.ts'
import { type RequestMatch, requestMatch } from './request-match.ts'
import { variationKinds } from './variation.ts'

const message = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
  fields: z.unknown().optional().meta({ description: "A SOAP call's inputs by local element name" }),
})

/** Why a request was refused: the rule, and the document or choice it comes from. */
export const journalReason = z.object({
  code: z.string(),
  message: z.string(),
  source: z.string().optional(),
  findings: z.array(
    z.object({ code: z.string(), message: z.string(), target: z.string(), source: z.string().optional() }),
  ),
})

/** A request with its reply, or a frame of an event stream. */
export const journalEntry = z.object({
  id: z.int(),
  kind: z.enum(['request', 'frame']),
  at: instant,
  operation: z.union([z.int(), z.string()]).optional(),
  caller: z.string().optional().meta({ description: 'Who called, as far as it is known' }),
  requestId: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional().meta({ description: "Without the world's prefix" }),
  query: z.string().optional(),
  status: z.int().optional().meta({ description: 'Absent when nothing was answered' }),
  durationMs: z.number().optional(),
  request: message.optional(),
  response: message.optional(),
  why: journalReason.optional(),
  faults: z.array(z.string()).optional().meta({ description: 'Names or ids of the faults that struck it' }),
  variation: z
    .array(z.enum(variationKinds))
    .optional()
    .meta({ description: 'What its reply varied in, from what is shown here' }),
  frame: z
    .object({ subscriptionId: z.string(), event: z.string(), id: z.string().optional(), data: z.unknown() })
    .optional(),
})
export type JournalEntry = z.infer<typeof journalEntry>

export const journalMatch = z.strictObject({
  ...requestMatch.shape,
  status: z.int().optional(),
  requestId: z.string().max(200).optional(),
  code: z.string().max(200).optional().meta({ description: 'Of the refusal, such as SlotUnavailable' }),
})
export type JournalMatch = z.input<typeof journalMatch>

/** What a list of entries is asked for. */
export interface JournalQuery extends Pick<RequestMatch, 'operation' | 'method' | 'path' | 'caller'> {
  status?: number | undefined
  kind?: JournalEntry['kind'] | undefined
  /** Text that path, query, headers, bodies or data hold, in any letter case. */
  q?: string | undefined
  refused?: boolean | undefined
  /** Only entries from this instant on. */
  since?: string | undefined
  /** Only entries older than the one of this id. */
  before?: number | undefined
  offset?: number | undefined
  limit?: number | undefined
}

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
  matched: z.boolean(),
  count: z.int(),
  entries: z.array(journalEntry).meta({ description: 'The newest 100 that fit' }),
  nearest: z
    .array(journalEntry.extend({ differs: z.array(z.string()).meta({ description: 'What does not fit' }) }))
    .meta({ description: 'When nothing fits: what comes closest' }),
})
export type JournalVerdict = z.infer<typeof journalVerdict>
