import type { Ports } from '#server/ports.ts'
import type { Digests } from '#server/ports/chance.ts'
import type { AccessToken } from '#contract/records/events/access-token.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import { requireAccessToken, requireValidToken } from './access-tokens.ts'
import { DomainError } from '../errors.ts'
import { toHex } from '../ids.ts'
import { findSubscription, unknownSubscription } from './subscriptions.ts'

export interface StreamPass {
  subscriptionId: string
  /** Key from `registrationUrl`. */
  key?: string | undefined
  /** Token from the Authorization header. */
  accessToken?: string | undefined
}

export interface StreamAccess {
  subscription: Subscription
  /** The stream ends with this token. */
  token: AccessToken
}

/** Accepts the key, because EventSource in browsers cannot send headers, or the bearer token of the owner. */
export async function requireStreamAccess(ports: Ports, pass: StreamPass): Promise<StreamAccess> {
  const { subscriptionId, key, accessToken } = pass
  if (key === undefined && accessToken === undefined) {
    const message = "the stream needs the registration address's key, or Authorization: Bearer of the owner"
    throw new DomainError('unauthenticated', message, { source: 'our choice: stream-access' })
  }
  const bearer = accessToken === undefined ? undefined : await requireAccessToken(ports, accessToken)
  const subscription = await findSubscription(ports, subscriptionId)
  // Compares the key also for an unknown subscription, so that both take the same time.
  const keyFits = key === undefined || ports.digests.equal(key, await registrationKeyOf(ports, subscriptionId))
  if (!subscription || !keyFits) throw unknownSubscription()
  if (!bearer) return { subscription, token: await requireValidToken(ports, subscription.tokenDigest) }
  if (bearer.user === subscription.user) return { subscription, token: bearer }
  if (key === undefined) throw unknownSubscription()
  throw new DomainError('forbidden', 'the subscription belongs to another user than the access token', {
    source: 'our choice: stream-access',
  })
}

/** Log lines cut the latest keys of a world, at most this many. */
const MOST_KEYS = 20_000

/** Returns the key for a response. A log line cuts it where a client sends it as a request ID. */
export async function issueStreamKey(ports: Ports, subscriptionId: string): Promise<string> {
  const { streamKeys } = ports.state
  const key = await registrationKeyOf(ports, subscriptionId)
  const [oldest] = streamKeys
  if (oldest !== undefined && streamKeys.size >= MOST_KEYS) streamKeys.delete(oldest)
  streamKeys.add(key)
  return key
}

/** The key is derived, so that GET can return it and the store has no key. */
export async function registrationKeyOf({ store, digests }: Ports, subscriptionId: string): Promise<string> {
  const secret = await store.settings.get('secret')
  if (!secret) throw new Error('the world has no secret')
  return streamKeyOf(digests, secret.value, subscriptionId)
}

export function streamKeyOf({ hmac }: Pick<Digests, 'hmac'>, secret: string, subscriptionId: string): string {
  return toHex(hmac(secret, `stream ${subscriptionId}`)).slice(0, 32)
}
