import * as z from 'zod'
import { idText, instant, text } from '../formats.ts'

export const user = text(64).meta({ description: 'Who the token was issued to', example: 'alice-home' })
export const scope = text(128).meta({ description: 'Scope of a token', example: 'r:devices:*' })
export const locationId = idText(64).meta({
  description: 'Id of the location',
  example: '11111111-0000-4000-8000-000000000001',
})

/** The store keeps only a digest: the token goes out once. */
export const accessToken = z.object({
  tokenDigest: z.string(),
  user,
  scopes: z.array(scope).max(100),
  locations: z.array(locationId).max(1000),
  expiresAt: instant,
})
export type AccessToken = z.infer<typeof accessToken>

/** The token goes out here and is never shown again. */
export const issuedToken = z.object({ accessToken: z.string().meta({ description: 'It is told this once' }) })
export type IssuedToken = z.infer<typeof issuedToken>

/** In seconds, our choice: no clock reaches dates that are much later. */
const CENTURY = 100 * 365 * 24 * 3600

export const accessTokenRequest = z.strictObject({
  user,
  scopes: z.array(scope).max(100),
  locations: z.array(locationId).max(1000),
  expiresIn: z.int().min(1).max(CENTURY).meta({ description: 'Seconds by the clock of the world', example: 3600 }),
  force: z.boolean().optional().meta({ description: 'Takes scopes and locations that the world does not know' }),
})
export type AccessTokenRequest = z.infer<typeof accessTokenRequest>
