import * as z from 'zod'
import { idText, instant, text } from '../formats.ts'

export const user = text(64).meta({ description: 'User that the token was issued to', example: 'alice-home' })
export const scope = text(128).meta({ description: 'Scope of a token', example: 'r:devices:*' })
export const locationId = idText(64).meta({
  description: 'ID of the location',
  example: '11111111-0000-4000-8000-000000000001',
})

/** Only the digest of the token is stored. */
export const accessToken = z.object({
  tokenDigest: z.string(),
  user,
  scopes: z.array(scope).max(100),
  locations: z.array(locationId).max(1000),
  expiresAt: instant,
})
export type AccessToken = z.infer<typeof accessToken>

export const issuedToken = z.object({
  accessToken: z.string().describe('Access token. It cannot be retrieved again.'),
})
export type IssuedToken = z.infer<typeof issuedToken>

/** Maximum lifetime in seconds. Without a limit, the expiry could be outside the range of valid dates. */
const CENTURY = 100 * 365 * 24 * 3600

export const accessTokenRequest = z.strictObject({
  user,
  scopes: z.array(scope).max(100),
  locations: z.array(locationId).max(1000),
  expiresIn: z.int().min(1).max(CENTURY).meta({ description: 'Lifetime in seconds (world clock)', example: 3600 }),
  force: z.boolean().optional().describe('true: accepts unknown scopes and locations'),
})
export type AccessTokenRequest = z.infer<typeof accessTokenRequest>
