import { z } from 'zod'
import { instant } from '../formats.ts'

const message = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
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
  status: z.int().optional(),
  durationMs: z.number().optional(),
  request: message.optional(),
  response: message.optional(),
  why: journalReason.optional(),
  frame: z
    .object({ subscriptionId: z.string(), event: z.string(), id: z.string().optional(), data: z.unknown() })
    .optional(),
})
export type JournalEntry = z.infer<typeof journalEntry>

export const journalMatch = z.object({
  operation: z.union([z.int(), z.string()]).optional(),
  method: z.string().toUpperCase().optional(),
  path: z.string().optional(),
  status: z.int().optional(),
  caller: z.string().optional(),
  requestId: z.string().optional(),
  code: z.string().optional().meta({ description: 'Of the refusal, such as SlotUnavailable' }),
})
export type JournalMatch = z.infer<typeof journalMatch>

export const journalVerify = z
  .object({
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
export type JournalVerify = z.infer<typeof journalVerify>

export const journalVerdict = z.object({
  matched: z.boolean(),
  count: z.int(),
  entries: z.array(journalEntry),
  nearest: z.array(journalEntry).meta({ description: 'When nothing fits: what comes nearest' }),
})
