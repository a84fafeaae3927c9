import { z } from 'zod'
import { requestMatch } from './request-match.ts'
import { journalEntry } from './journal.ts'

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
