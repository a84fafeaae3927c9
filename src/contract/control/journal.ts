import * as z from 'zod'
import { noContent } from '../operation.ts'
import { journalEntry, journalPage, journalVerdict, journalVerify } from '../records/control/journal.ts'
import { methods } from '../records/control/request-match.ts'
import { queryInstant } from '../records/formats.ts'
import { filter, flag, int32, offset } from '../records/parameters.ts'
import { readStatusRange, STATUS_RANGE } from '../records/status-range.ts'
import { defineControl } from './define.ts'

export const coverageParts = ['statuses', 'parameters', 'rules', 'events', 'endings', 'soapCodes'] as const
export type CoveragePart = (typeof coverageParts)[number]

const counts = { met: z.int().describe('How many were met'), total: z.int().describe('How many there are') }

export const coverage = z.object({
  profile: z.string().optional().describe('Name of the profile that the world is bent by'),
  ...counts,
  percent: z.number().meta({ description: 'Of all parts, with one decimal, never rounded up', example: 41.7 }),
  parts: z
    .array(
      z.object({
        name: z.enum(coverageParts).meta({
          description:
            'statuses each operation declares; parameters, fields of bodies and their enumerated values, as they ' +
            'were sent; rules that rejected a request, by their sources, settable choices among them; types of events; ' +
            'ways a stream ended; error codes of SOAP',
        }),
        ...counts,
        seen: z.array(z.string()).meta({ description: 'What was met', example: ['operation 30: 200'] }),
        missing: z.array(z.string()).meta({ description: 'What was not met', example: ['operation 30: 404'] }),
      }),
    )
    .describe('Kind by kind'),
})
export type Coverage = z.infer<typeof coverage>

const redacted = flag.optional().meta({
  description: 'Whether secrets are replaced by placeholders, as in files that leave the machine',
})

const query = z.object({
  operation: filter.optional().meta({
    description: "Number of document 1's table, an operationId, a name, or METHOD and path",
  }),
  method: z.string().toUpperCase().pipe(z.enum(methods)).optional(),
  path: z.string().max(500).optional().meta({ description: '* stands for anything', example: '/stg/us/*' }),
  status: z
    .string()
    .transform((text, context) => {
      const range = readStatusRange(text)
      if (!range) context.addIssue({ code: 'custom', message: STATUS_RANGE })
      return range ?? z.NEVER
    })
    .optional()
    .meta({
      description: 'A status, a class or a range: 404, 4xx or 400-499',
      openapi: { type: 'string' },
      example: '4xx',
    }),
  caller: filter.optional(),
  q: filter.optional().meta({ description: 'A text that path, query, headers, body or data hold, in any letter case' }),
  traceId: z
    .string()
    .toLowerCase()
    .regex(/^[\da-f]{32}$/, 'must be 32 hexadecimal digits')
    .optional()
    .meta({ description: 'The trace of a call, or of the request that opened a stream' }),
  refused: flag.optional().meta({ description: 'Whether the status is 400 or more' }),
  kind: z.enum(['request', 'frame']).optional(),
  since: queryInstant.optional().meta({ description: "Only entries from then on, by the world's clock" }),
  before: int32(1).optional().meta({ description: "An entry's id: only older ones" }),
  redacted,
  offset,
  limit: int32(1, 100).optional().meta({ description: '20 unless told; an archive holds all that fit' }),
  format: z.enum(['json', 'har']).default('json').meta({
    description: '`har`: HTTP Archive 1.2, oldest first, frames with the request that opened their stream',
  }),
})

export const journalOperations = defineControl('Journal', {
  listJournal: {
    summary: 'What this instance was asked and answered, newest first, and why it refused',
    query,
    reply: journalPage,
    otherStatuses: [429],
  },
  getJournalEntry: {
    summary: 'Read a journal entry',
    params: z.object({ id: int32(1) }),
    query: z.object({ redacted }),
    reply: journalEntry,
    example: { needs: 'id of an entry, from listJournal' },
  },
  verifyJournal: {
    summary: 'Whether entries fit, waiting for them up to withinMs',
    body: journalVerify,
    reply: journalVerdict,
    example: { body: { match: { operation: 30, status: 200 }, atLeast: 1 } },
  },
  clearJournal: { summary: 'Forget all entries', reply: noContent },
})

export const coverageOperations = defineControl('Coverage', {
  getCoverage: {
    summary: 'Report what of the documents was covered',
    reply: coverage,
  },
})
