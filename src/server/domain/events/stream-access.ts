import type { Ports } from '#server/ports.ts'
import type { Digests } from '#server/ports/chance.ts'
import type { AccessToken } from '#contract/records/events/access-token.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import { requireAccessToken, requireValidToken } from './access-tokens.ts'
import { DomainError, notFound } from '../errors.ts'
import { toHex } from '../ids.ts'
import { findSubscription } from './subscriptions.ts'

export interface StreamPass {
  subscriptionId: string
  key?: string | undefined
  accessToken?: string | undefined
}

export interface StreamAccess {
  subscription: Subscription
  token: AccessToken
}

const ofSubscription = {
  name: 'the access token of this subscription',
  advice: '. Replace the subscription (PUT) with a valid token, or send a valid token with this URL',
}

/** Accepts the key or the owner's token, because EventSource in browsers cannot send headers. */
export async function requireStreamAccess(ports: Ports, pass: StreamPass): Promise<StreamAccess> {
  const { subscriptionId, key, accessToken } = pass
  if (key === undefined && accessToken === undefined) {
    const message = 'the stream requires the key in the registrationUrl, or a bearer token of the owner'
    throw new DomainError('unauthenticated', message, { source: 'our choice: stream-access' })
  }
  const bearer = accessToken === undefined ? undefined : await requireAccessToken(ports, accessToken)
  const subscription = await findSubscription(ports, subscriptionId)
  // The key is compared even if the subscription is unknown, so that the response time is the same.
  const keyFits = key === undefined || ports.digests.equal(key, await registrationKeyOf(ports, subscriptionId))
  if (!subscription || !keyFits) throw unknownStream()
  if (!bearer) return { subscription, token: await requireValidToken(ports, subscription.tokenDigest, ofSubscription) }
  if (bearer.user === subscription.user) return { subscription, token: bearer }
  if (key === undefined) throw unknownStream()
  throw new DomainError('forbidden', 'the subscription and the access token belong to different users', {
    source: 'our choice: stream-access',
  })
}

/** The message is the same in all cases, so that it does not reveal which subscriptions exist. */
export function unknownStream(): DomainError {
  const message =
    'no subscription has this ID and this key or token. Use the registrationUrl unchanged, or subscribe again. ' +
    'A reset, or a restart without stored state, deletes all subscriptions'
  return notFound(message, 'our choice: subscription-statuses')
}

/** Maximum number of stream keys that are remembered per world. Log lines shorten these keys. */
const MOST_KEYS = 20_000

/** Remembered, so that log lines can shorten a key that a client sends as a request ID. */
export async function issueStreamKey(ports: Ports, subscriptionId: string): Promise<string> {
  const { streamKeys } = ports.state
  const key = await registrationKeyOf(ports, subscriptionId)
  const [oldest] = streamKeys
  if (oldest !== undefined && streamKeys.size >= MOST_KEYS) streamKeys.delete(oldest)
  streamKeys.add(key)
  return key
}

/** The key is derived from a secret. GET can therefore return the key, although the store does not contain it. */
export async function registrationKeyOf({ store, digests }: Ports, subscriptionId: string): Promise<string> {
  const secret = await store.settings.get('secret')
  if (!secret) throw new Error('the world has no secret')
  return streamKeyOf(digests, secret.value, subscriptionId)
}

export function streamKeyOf({ hmac }: Pick<Digests, 'hmac'>, secret: string, subscriptionId: string): string {
  return toHex(hmac(secret, `stream ${subscriptionId}`)).slice(0, 32)
}
