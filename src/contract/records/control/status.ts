import * as z from 'zod'
import { clockState } from './clock.ts'

const names = (description: string) => z.array(z.string()).meta({ description })

/** Only fixtures that still exist in the world are named. */
const toTry = z.object({
  callers: names('`vendorus-profId`, or `vendorus-GUID` of the apps, of users'),
  dealers: names('The same, of dealer companies'),
  tokens: names('`Authorization: Bearer`; the first has all scopes, POST /_control/tokens issues others'),
  partners: names('`partnerCode` of the device check'),
  sellers: names('`secret` of createServiceToken'),
})
export type ToTry = z.infer<typeof toTry>

export const status = z.object({
  version: z.string().describe('Of the program'),
  documents: z
    .object({
      support: z.literal('stg').describe('Document 1'),
      events: z.literal(1).describe('Document 2, events'),
      wallet: z.literal('v2.0').describe('Document 2, wallet'),
      billing: z.literal('deprecated').describe('Document 3'),
    })
    .meta({ description: 'Versions of the interfaces, as the last sections of the documents say' }),
  world: z.string().describe('Its name'),
  profile: z.string().optional().describe('Name of the profile that it is bent by'),
  faults: z.int().optional().describe('Active faults, those of the profile too; absent: none'),
  varies: z.boolean().optional().describe('Whether responses vary; absent: they do not'),
  rateLimited: z.boolean().optional().describe('Whether calls are limited; absent: they are not'),
  clock: clockState.describe("The world's time"),
  recorded: z
    .boolean()
    .optional()
    .meta({ description: 'Whether this instance records the world; absent: it does not' }),
  examined: z
    .boolean()
    .optional()
    .meta({ description: 'Whether an examination was published on this instance; absent: none was' }),
  liveStreams: z.int().meta({ description: 'Event streams of this instance that are open' }),
  try: toTry.meta({ description: 'Names of the fixtures that are in the world, for a first call' }),
  counts: z.record(z.string(), z.int()).meta({ description: 'Records by collection' }),
})
export type Status = z.infer<typeof status>

export const collectionSummary = z.object({
  name: z.string().describe('Its plural noun'),
  key: z.string().meta({ description: 'The field that its records are found by' }),
  count: z.int().describe('How many there are'),
})
export type CollectionSummary = z.infer<typeof collectionSummary>

export const record = z.record(z.string(), z.unknown()).meta({ description: "As the collection's schema says" })
