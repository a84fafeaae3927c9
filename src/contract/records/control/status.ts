import * as z from 'zod'
import { clockState } from './clock.ts'

const names = (description: string) => z.array(z.string()).meta({ description })

const toTry = z.object({
  callers: names('Users: `vendorus-profId`, or `vendorus-GUID` for apps'),
  dealers: names('Dealers: `vendorus-profId`, or `vendorus-GUID` for apps'),
  tokens: names('Bearer tokens. The first has all scopes. POST /_control/tokens issues others.'),
  partners: names('Values of `partnerCode` for the wallet API'),
  sellers: names('Values of `secret` for createServiceToken'),
})
export type ToTry = z.infer<typeof toTry>

export const status = z.object({
  version: z.string().describe('Version of vendor-cloud'),
  documents: z
    .object({
      support: z.literal('stg').describe('Document 1'),
      events: z.literal(1).describe('Document 2, events'),
      wallet: z.literal('v2.0').describe('Document 2, wallet'),
      billing: z.literal('deprecated').describe('Document 3'),
    })
    .describe('API versions according to the documents'),
  world: z.string().describe('Name of the world'),
  profile: z.string().optional().describe('Name of the applied profile'),
  faults: z
    .int()
    .optional()
    .describe('Number of active faults, including those of the profile. Absent if there are none.'),
  varies: z.boolean().optional().describe('true if responses vary, otherwise absent'),
  rateLimited: z.boolean().optional().describe('true if requests are rate-limited, otherwise absent'),
  clock: clockState.describe('Clock of the world'),
  recorded: z.boolean().optional().describe('true if this instance has a recording of the world, otherwise absent'),
  recordingEnded: z.string().optional().describe('Reason why the server ended the recording, otherwise absent'),
  examined: z.boolean().optional().describe('true if an examination was published on this instance, otherwise absent'),
  liveStreams: z.int().describe('Number of open event streams of this instance'),
  try: toTry.describe('Values for a first request'),
  counts: z.record(z.string(), z.int()).describe('Number of records by collection'),
})
export type Status = z.infer<typeof status>

export const collectionSummary = z.object({
  name: z.string().describe('Name of the collection'),
  key: z.string().describe('Name of the key field'),
  count: z.int().describe('Number of records'),
})
export type CollectionSummary = z.infer<typeof collectionSummary>

export const record = z.record(z.string(), z.unknown()).describe('Record with the fields of its collection')
