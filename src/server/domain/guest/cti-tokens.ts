import type { Ports } from '#server/ports.ts'
import type { CtiToken } from '#contract/records/guest/cti-token.ts'
import type { Identity } from '../identity.ts'
import { newToken } from '../ids.ts'

const VALID_FOR = 3600
/** 48 letters and digits correspond to more than 128 random bits. */
const LENGTH = 48

/** Operation 3. The store contains only the digest of the token. */
export async function createCtiToken(
  { store, clock, random, digests }: Ports,
  { userId }: Identity,
): Promise<CtiToken> {
  const token = await newToken(random, 'ctiToken', LENGTH)
  const now = clock.now()
  const issuedAt = new Date(now).toISOString()
  const expiresAt = new Date(now + VALID_FOR * 1000).toISOString()
  const record = { tokenDigest: digests.sha256(token), ...(userId ? { userId } : {}), issuedAt, expiresAt }
  await store.transaction((tx) => tx.ctiTokens.put(record))
  return { token, tokenType: 'Bearer', expiresIn: VALID_FOR, issuedAt }
}
