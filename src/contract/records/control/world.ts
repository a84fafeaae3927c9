import { z } from 'zod'
import { instant, matching } from '../formats.ts'
import { clockInstant } from './clock.ts'
import { profileOrName } from './vendor-profile.ts'
import { variationDraft } from './variation.ts'

/** The world a request without a name finds. */
export const DEFAULT_WORLD = 'default'

export const worldName = matching(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 characters: a-z, 0-9 and -').meta({
  description: '1 to 64 of a-z 0-9 -',
  example: 'my-test',
})

export const worldDraft = z
  .strictObject({
    name: worldName.optional().meta({ description: '1 to 64 of a-z 0-9 -; left out, one is made and told' }),
    from: worldName.optional().meta({
      description: 'The world to fork: records, images, clock, counters and outbox as they are; not beside seed or now',
    }),
    seed: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'Makes every id and token a function of it and of the calls' }),
    now: clockInstant.optional().meta({ description: 'Where its clock starts; real time without it' }),
    frozen: z.boolean().optional().meta({ description: 'Whether its clock stands at first; a reset stops it again' }),
    expiresIn: z.number().positive().max(31_536_000).optional().meta({ description: 'Seconds of real time it lives' }),
    streamRetryMs: z.int().min(0).max(60_000).optional().meta({
      description: 'Milliseconds that its event streams ask cut-off clients to wait; STREAM_RETRY_MS without it',
    }),
    profile: profileOrName.nullish().meta({
      description:
        'What it does where the documents are silent, or the name of a profile that ships; null: a plain one',
    }),
    variation: variationDraft.optional().meta({ description: 'How its replies vary at first, and after a reset' }),
  })
  .superRefine(({ from, seed, now }, context) => {
    const given = Object.entries({ seed, now }).filter(([, value]) => from !== undefined && value !== undefined)
    for (const [name] of given) {
      context.addIssue({ code: 'custom', path: [name], message: "is the forked world's: it may not stand beside from" })
    }
  })

export const worldSummary = z.object({
  name: worldName,
  from: z.string().optional().meta({ description: 'The world that it was forked from' }),
  seed: z.string().optional().describe('What its ids are a function of'),
  profile: z.string().optional().describe('Name of the profile that it is bent by'),
  createdAt: instant.meta({ description: 'In real time' }),
  expiresAt: instant.optional().meta({ description: 'In real time' }),
})
export type WorldSummary = z.infer<typeof worldSummary>
