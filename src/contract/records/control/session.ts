import * as z from 'zod'
import { instant, text } from '../formats.ts'

/** Sessions are stored only if `session-lifetime` is set. */
export const session = z.object({
  /** `profile:{profId}` or `guid:{GUID}`. The identity does not need a user profile. */
  identity: z.string().regex(/^(profile|guid):[\x20-\x7e]{1,512}$/),
  since: instant,
})

export const sessionRequest = z.strictObject({
  identity: text(520).meta({
    description: 'Key of a user profile such as profile:web-alice. The part after the colon is enough if it is unique.',
    example: 'profile:web-alice',
  }),
})

export const sessionReply = z.object({
  identity: z
    .string()
    .meta({ description: 'Key of a user profile, which need not exist', example: 'profile:web-alice' }),
  since: instant.describe('Time of the renewal (world clock)'),
  endsAt: instant.optional().describe('Expiry time. Absent if identities do not expire in this world.'),
})

export type SessionAnswer = z.infer<typeof sessionReply>

export const rateCounter = z.object({
  /** A caller such as `profile:web-alice`, `partner:` with a digest, or `address:127.0.0.1`. */
  caller: z.string().max(600),
  since: instant,
  requests: z.int().min(1),
  /** The limit to which the count applies. If the limit changes, the count starts again. */
  limit: z.string(),
})
