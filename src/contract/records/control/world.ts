import * as z from 'zod'
import { instant, instantOr, matching, withPlus } from '../formats.ts'
import { clockInstant } from './clock.ts'
import { profileOrName } from './vendor-profile.ts'
import { variationDraft } from './variation.ts'

/** A request that names no world finds this one. */
export const DEFAULT_WORLD = 'default'

export const worldName = matching(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 characters: a-z, 0-9 and -').meta({
  description: '1 to 64 of a-z 0-9 -',
  example: 'my-test',
})

const MOMENT = 'must be the number of a step (they count from 1) or an instant such as 2026-03-31T14:00:00.000Z'
const momentInstant = instantOr(MOMENT)

/** A body names a moment of a recording by a step or an instant. */
const moment = z.union([z.int().min(1, MOMENT), momentInstant], MOMENT)
export type RecordedMoment = z.infer<typeof moment>

export const recordedMoment = z
  .union(
    [matching(/^[1-9]\d{0,8}$/, MOMENT).transform(Number), z.string().overwrite(withPlus).pipe(momentInstant)],
    MOMENT,
  )
  .meta({ openapi: { type: 'string' }, example: '12' })

export const worldDraft = z
  .strictObject({
    name: worldName.optional().meta({ description: '1 to 64 of a-z 0-9 -; left out, one is made and told' }),
    from: worldName.optional().meta({
      description: 'The world to fork: records, images, clock, counters and outbox as they are; not beside seed or now',
    }),
    at: moment.optional().meta({
      description:
        'Beside from, of a world that is recorded: as it stood behind this step, or behind the last one by this ' +
        'instant; its clock stands',
      example: 12,
      openapi: {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', format: 'date-time' },
        ],
      },
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
  .superRefine(({ from, at, seed, now, frozen }, context) => {
    if (at !== undefined && from === undefined) {
      context.addIssue({ code: 'custom', path: ['at'], message: 'must stand beside from, the world that is recorded' })
    }
    if (at !== undefined && frozen === false) {
      const message = 'may not be false beside at: the clock of that moment stands; PUT /_control/clock lets it run'
      context.addIssue({ code: 'custom', path: ['frozen'], message })
    }
    const given = Object.entries({ seed, now }).filter(([, value]) => from !== undefined && value !== undefined)
    for (const [name] of given) {
      context.addIssue({ code: 'custom', path: [name], message: "is the forked world's: it may not stand beside from" })
    }
  })

export type WorldDraft = z.output<typeof worldDraft>

export const worldSummary = z.object({
  name: worldName,
  from: z.string().optional().meta({ description: 'The world that it was forked from' }),
  at: z.int().optional().meta({ description: 'The step of its recording that it begins behind' }),
  seed: z.string().optional().describe('What its ids are a function of'),
  profile: z.string().optional().describe('Name of the profile that it is bent by'),
  createdAt: instant.meta({ description: 'In real time' }),
  expiresAt: instant.optional().meta({ description: 'In real time' }),
})
export type WorldSummary = z.infer<typeof worldSummary>
