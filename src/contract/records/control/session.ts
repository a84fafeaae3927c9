import * as z from 'zod'
import { instant, text } from '../formats.ts'

/** Sessions are kept only where the world's identities end. */
export const session = z.object({
  /** `profile:{profId}` or `guid:{GUID}`; no profile need hold it. */
  identity: z.string().regex(/^(profile|guid):[\x20-\x7e]{1,512}$/),
  since: instant,
})

export const sessionRequest = z.strictObject({
  identity: text(520).meta({
    description: "A profile's key, such as profile:web-alice; or what stands behind the colon, where one alone fits",
    example: 'profile:web-alice',
  }),
})

export const sessionReply = z.object({
  identity: z.string().meta({ description: 'Key of a profile, which need not be there', example: 'profile:web-alice' }),
  since: instant.describe("When it was renewed, by the world's clock"),
  endsAt: instant.optional().describe('When it is 401 again; absent: never, as this world has it'),
})

export type SessionAnswer = z.infer<typeof sessionReply>

export const rateCounter = z.object({
  /** A caller such as `profile:web-alice`, `user:alice-home`, `partner:` with a digest, or `address:127.0.0.1`. */
  caller: z.string().max(600),
  /** The window began with its first request. */
  since: instant,
  requests: z.int().min(1),
  /** The count holds for this limit; another limit starts a new count. */
  limit: z.string(),
})
