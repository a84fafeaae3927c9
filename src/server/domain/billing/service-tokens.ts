import type { Ports } from '#server/ports.ts'
import { DomainError } from '../errors.ts'
import { newToken } from '../ids.ts'

/** Length of a token: document 3, section 8. */
const TOKEN_LENGTH = 96
const TOKEN_FORM = /^[A-Za-z0-9]{96}$/
const VALID_FOR = 30 * 24 * 60 * 60 * 1000

/** Document 3, section 5, rule 1: issues a new token. Earlier tokens of the seller remain valid. */
export async function createServiceToken(ports: Ports, secret: string): Promise<string> {
  const { store, clock, random, digests } = ports
  if (!(await store.sellers.get(secret))) {
    throw new DomainError('unauthenticated', 'no seller has this secret', {
      source: 'document 3, section 7',
      hint: 'GET /_control/status lists sellers',
    })
  }
  const token = await newToken(random, 'serviceToken', TOKEN_LENGTH)
  const issuedAt = new Date(clock.now()).toISOString()
  const tokenDigest = digests.sha256(token)
  await store.transaction((tx) => tx.serviceTokens.put({ tokenDigest, sellerSecret: secret, issuedAt }))
  return token
}

/** Document 3, section 5, rules 2 and 3: validates the token and returns the secret of its seller. */
export async function requireTokenHolder({ store, digests }: Ports, token: string, now: number): Promise<string> {
  const held = TOKEN_FORM.test(token) ? await store.serviceTokens.get(digests.sha256(token)) : undefined
  if (!held)
    throw new DomainError(
      'invalid-token',
      'this world has no such service token. A reset, or a restart without stored state, deletes all tokens',
      { source: 'document 3, section 7' },
    )
  if (now - Date.parse(held.issuedAt) >= VALID_FOR) {
    throw new DomainError('expired-token', 'the service token is older than 30 days', {
      source: 'document 3, section 5, rule 3',
    })
  }
  return held.sellerSecret
}
