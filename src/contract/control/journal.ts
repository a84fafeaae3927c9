import * as z from 'zod'
import { noContent } from '../operation.ts'
import { journalEntry, journalPage, journalVerdict, journalVerify } from '../records/control/journal.ts'
import { CALLER, methods } from '../records/control/request-match.ts'
import { queryInstant } from '../records/formats.ts'
import { filter, flag, int32, offset } from '../records/parameters.ts'
import { readStatusRange, STATUS_RANGE } from '../records/status-range.ts'
import { defineControl } from './define.ts'

export const coverageParts = ['statuses', 'parameters', 'rules', 'events', 'endings', 'soapCodes'] as const
export type CoveragePart = (typeof coverageParts)[number]

const counts = { covered: z.int().describe('Number of covered items'), total: z.int().describe('Number of items') }

export const coverage = z.object({
  profile: z.string().optional().describe('Name of the applied profile'),
  ...counts,
  percent: z
    .number()
    .meta({ description: 'Coverage of all parts in percent, rounded down to one decimal', example: 41.7 }),
  parts: z
    .array(
      z.object({
        name: z
          .enum(coverageParts)
          .describe(
            'statuses: declared statuses of each operation. parameters: parameters, body fields and enumerated ' +
              'values that were sent. rules: rules that rejected a request, and settable choices. events: event ' +
              'types. endings: ways in which a stream ended. soapCodes: SOAP error codes.',
          ),
        ...counts,
        seen: z.array(z.string()).meta({ description: 'Covered items', example: ['operation 30: 200'] }),
        missing: z
          .array(z.string())
          .meta({ description: 'Items that are not covered', example: ['operation 30: 404'] }),
      }),
    )
    .describe('Coverage by kind of item'),
})
export type Coverage = z.infer<typeof coverage>

const redacted = flag.optional().describe('Whether secrets are replaced with placeholders')

const query = z.object({
  operation: filter.optional().describe('Operation number of document 1, operationId, name, or METHOD and path'),
  method: z.string().toUpperCase().pipe(z.enum(methods)).optional(),
  path: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'Path of the request, with * as a wildcard', example: '/stg/us/*' }),
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
  caller: filter.optional().describe(CALLER),
  q: filter
    .optional()
    .describe('Text to find in method, path, status, query, headers, body or event data, ignoring case'),
  traceId: z
    .string()
    .toLowerCase()
    .regex(/^[\da-f]{32}$/, 'must be 32 hexadecimal digits')
    .optional()
    .describe('Trace ID of a request, or of the request that opened a stream'),
  refused: flag.optional().describe('true: only entries with a status of 400 or more. false: only other entries.'),
  kind: z.enum(['request', 'frame']).optional(),
  since: queryInstant.optional().describe('Only entries at or after this time of the world clock'),
  before: int32(1).optional().describe('Only entries older than the entry with this ID'),
  redacted,
  offset,
  limit: int32(1, 100).optional().describe('Page size. Default: 20, and all matching entries for format=har.'),
  format: z
    .enum(['json', 'har'])
    .default('json')
    .describe(
      '`har` returns an HTTP Archive (HAR 1.2), oldest entry first. Stream frames are part of the request that ' +
        'opened the stream.',
    ),
})

export const journalOperations = defineControl('Journal', {
  listJournal: {
    summary: 'List journal entries',
    description: 'Requests, responses and stream frames of this instance, newest first, with the cause of each error.',
    query,
    reply: journalPage,
    otherStatuses: [429],
  },
  getJournalEntry: {
    summary: 'Get a journal entry',
    params: z.object({ id: int32(1) }),
    query: z.object({ redacted }),
    reply: journalEntry,
    example: { needs: 'id of an entry, from listJournal' },
  },
  verifyJournal: {
    summary: 'Verify journal entries',
    description: 'Counts the matching entries. Waits up to `withinMs` until the expected number is reached.',
    query: z.object({ redacted }),
    body: journalVerify,
    reply: journalVerdict,
    example: { body: { match: { operation: 30, status: 200 }, atLeast: 1 } },
  },
  clearJournal: { summary: 'Delete all journal entries', reply: noContent },
})

export const coverageOperations = defineControl('Coverage', {
  getCoverage: {
    summary: 'Get the coverage of the specifications',
    reply: coverage,
  },
})
