import * as z from 'zod'
import { instant, instantOr, matching, withPlus } from '../formats.ts'
import { clockInstant } from './clock.ts'
import { profileOrName } from './vendor-profile.ts'
import { variationDraft } from './variation.ts'

export const DEFAULT_WORLD = 'default'

export const worldName = matching(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 characters: a-z, 0-9 and -').meta({
  description: '1 to 64 characters a-z, 0-9 and -',
  example: 'my-test',
})

const HISTORY_POINT = 'must be a step number from 1 or a timestamp such as 2026-03-31T14:00:00.000Z'
const historyInstant = instantOr(HISTORY_POINT)

const moment = z.union([z.int().min(1, HISTORY_POINT), historyInstant], HISTORY_POINT)
export type HistoryPoint = z.infer<typeof moment>

export const historyPoint = z
  .union(
    [matching(/^[1-9]\d{0,8}$/, HISTORY_POINT).transform(Number), z.string().overwrite(withPlus).pipe(historyInstant)],
    HISTORY_POINT,
  )
  .meta({ openapi: { type: 'string' }, example: '12' })

export const worldDraft = z
  .strictObject({
    name: worldName.optional().describe('1 to 64 characters a-z, 0-9 and -. Default: a generated name.'),
    from: worldName
      .optional()
      .describe(
        'World to fork, with its records, images, clock, counters and outbox. Cannot be combined with `seed` or `now`.',
      ),
    at: moment.optional().meta({
      description:
        'If the world `from` is recorded, the new world starts with the state that `from` had after this step, or ' +
        'after the last step at or before this timestamp. The clock of the new world is paused.',
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
      .describe('Seed from which IDs and tokens are derived, so that equal requests give equal values'),
    now: clockInstant.optional().describe('Initial time of the clock. Default: real time.'),
    frozen: z.boolean().optional().describe('Whether the clock is paused initially and after a reset'),
    expiresIn: z
      .number()
      .positive()
      .max(31_536_000)
      .optional()
      .describe('Lifetime of the world in seconds of real time'),
    streamRetryMs: z
      .int()
      .min(0)
      .max(60_000)
      .optional()
      .describe('Retry time that event streams send to clients, in milliseconds. Default: STREAM_RETRY_MS.'),
    profile: profileOrName
      .nullish()
      .describe(
        'Profile to apply, or the name of a built-in profile. If null, no profile is applied, even if the world ' +
          'is a fork of a world with a profile.',
      ),
    variation: variationDraft.optional().describe('Response variation, initially and after a reset'),
  })
  .superRefine(({ from, at, seed, now, frozen }, context) => {
    if (at !== undefined && from === undefined) {
      const message = 'requires the field from, with the name of a recorded world'
      context.addIssue({ code: 'custom', path: ['at'], message })
    }
    if (at !== undefined && frozen === false) {
      const message = 'cannot be false if at is set: the clock is then paused. Start it with PUT /_control/clock'
      context.addIssue({ code: 'custom', path: ['frozen'], message })
    }
    const given = Object.entries({ seed, now }).filter(([, value]) => from !== undefined && value !== undefined)
    for (const [name] of given) {
      context.addIssue({ code: 'custom', path: [name], message: 'cannot be combined with from: a fork inherits it' })
    }
  })

export type WorldDraft = z.output<typeof worldDraft>

export const worldSummary = z.object({
  name: worldName,
  from: z.string().optional().describe('World from which this world was forked'),
  at: z.int().optional().describe('Step of the recording after which the fork starts'),
  seed: z.string().optional().describe('Seed of the IDs and tokens'),
  profile: z.string().optional().describe('Name of the applied profile'),
  createdAt: instant.describe('Creation time (real time)'),
  expiresAt: instant.optional().describe('Expiry time (real time)'),
})
export type WorldSummary = z.infer<typeof worldSummary>
