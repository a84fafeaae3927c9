import type { Ports } from '../../ports.ts'
import type { AccessToken, AccessTokenRequest } from '../../../contract/records/events/access-token.ts'
import { DomainError } from '../errors.ts'
import { newToken } from '../ids.ts'

/** 32 letters and digits hold 190 random bits. */
const TOKEN_LENGTH = 32
const RULE = 'document 2, section 5, rule 1'

/** A token for tests and demonstrations: the interface shows no operation that issues one. */
export async function issueAccessToken(
  { store, clock, random, digests }: Ports,
  { user, scopes, locations, expiresIn }: AccessTokenRequest,
): Promise<{ accessToken: string }> {
  const accessToken = await newToken(random, 'accessToken', TOKEN_LENGTH)
  const expiresAt = new Date(clock.now() + expiresIn * 1000).toISOString()
  const tokenDigest = digests.sha256(accessToken)
  await store.transaction((tx) => tx.accessTokens.put({ tokenDigest, user, scopes, locations, expiresAt }))
  return { accessToken }
}

/** Whether there was one; a stream that counts for it ends. */
export async function revokeAccessToken({ store, bus, digests }: Ports, accessToken: string): Promise<boolean> {
  const tokenDigest = digests.sha256(accessToken)
  // Nothing is changed that nobody could be told of.
  await bus.ping()
  const existed = await store.transaction((tx) => tx.accessTokens.delete(tokenDigest))
  if (existed) await bus.announce({ kind: 'token-ended', tokenDigest })
  return existed
}

/** The record of a token that is good now; 401 without one. */
export async function requireAccessToken(ports: Ports, accessToken: string | undefined): Promise<AccessToken> {
  if (accessToken === undefined) {
    throw new DomainError('unauthenticated', 'Authorization: Bearer with an access token is required', { source: RULE })
  }
  return requireValidToken(ports, ports.digests.sha256(accessToken))
}

export async function requireValidToken({ store, clock }: Ports, tokenDigest: string): Promise<AccessToken> {
  const token = await store.accessTokens.get(tokenDigest)
  if (!token) throw new DomainError('invalid-token', 'the access token is unknown or revoked')
  if (Date.parse(token.expiresAt) <= clock.now()) {
    throw new DomainError('expired-token', 'the access token has expired')
  }
  return token
}
