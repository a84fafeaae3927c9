import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import type { AccessToken } from '#contract/records/events/access-token.ts'
import type { Subscription, SubscriptionDraft, SubscriptionUpdate } from '#contract/records/events/subscription.ts'
import { DomainError, notFound } from '../errors.ts'
import { newUuid } from '../ids.ts'
import { assertIds, assertScopes } from './subscription-filters.ts'

/** Document 2, section 4, row 1. */
export async function createSubscription(
  ports: Ports,
  token: AccessToken,
  draft: SubscriptionDraft,
): Promise<Subscription> {
  assertScopes(token, draft.subscriptionFilters)
  await assertIds(ports, token, draft.subscriptionFilters)
  const subscriptionId = await newUuid(ports.random, 'subscription')
  const now = new Date(ports.clock.now()).toISOString()
  const subscription: Subscription = {
    subscriptionId,
    user: token.user,
    tokenDigest: token.tokenDigest,
    ...draft,
    locations: [...token.locations],
    revision: 1,
    generation: 0,
    createdAt: now,
    usedAt: now,
  }
  await dropUnused(ports)
  await ports.store.transaction(async (tx) => {
    await assertBelowLimit(ports, tx, token)
    await tx.subscriptions.put(subscription)
  })
  return subscription
}

async function assertBelowLimit({ world }: Ports, { subscriptions }: View, { user }: AccessToken): Promise<void> {
  const most = world.choices['subscription-limit']
  if (most === 'none' || (await subscriptions.count({ user })) < most) return
  throw new DomainError(
    'limit-exceeded',
    `a user can have at most ${most} ${most === 1 ? 'subscription' : 'subscriptions'}`,
    {
      source: 'our choice: subscription-limit',
    },
  )
}

/** Document 2, section 4, row 2. Throws 404 also for subscriptions of other users. */
export async function requireSubscription(
  ports: Ports,
  token: AccessToken,
  subscriptionId: string,
): Promise<Subscription> {
  const subscription = await findSubscription(ports, subscriptionId)
  if (subscription?.user !== token.user) throw unknownSubscription()
  return subscription
}

/** Document 2, section 4, row 3. Open streams use the new filters immediately, but end with the token they have. */
export async function updateSubscription(
  ports: Ports,
  token: AccessToken,
  subscriptionId: string,
  update: SubscriptionUpdate,
): Promise<Subscription> {
  assertScopes(token, update.subscriptionFilters)
  await requireSubscription(ports, token, subscriptionId)
  await assertIds(ports, token, update.subscriptionFilters)
  return ports.store.transaction(async (tx) => {
    const current = await tx.subscriptions.get(subscriptionId)
    if (!current) throw unknownSubscription()
    const subscription = {
      ...current,
      name: update.name ?? current.name,
      version: update.version ?? current.version,
      subscriptionFilters: update.subscriptionFilters,
      tokenDigest: token.tokenDigest,
      locations: [...token.locations],
      revision: current.revision + 1,
    }
    await tx.subscriptions.put(subscription)
    tx.emit({ notice: { kind: 'subscription-changed', subscription } })
    return subscription
  })
}

/** Document 2, section 4, row 4. The stream gets a goodbye event and ends. */
export async function deleteSubscription(ports: Ports, token: AccessToken, subscriptionId: string): Promise<void> {
  await requireSubscription(ports, token, subscriptionId)
  await dropSubscription(ports, subscriptionId)
}

/** The same for subscriptions of other users, so that it does not reveal which subscriptions exist. */
function unknownSubscription(): DomainError {
  const message = 'no subscription of this user has this ID; POST /subscriptions creates one'
  return notFound(message, 'our choice: subscription-statuses')
}

function dropSubscription({ store }: Ports, subscriptionId: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    const existed = await tx.subscriptions.delete(subscriptionId)
    if (existed) tx.emit({ notice: { kind: 'subscription-deleted', subscriptionId } })
    return existed
  })
}

export async function findSubscription(ports: Ports, subscriptionId: string): Promise<Subscription | undefined> {
  const subscription = await ports.store.subscriptions.get(subscriptionId)
  if (!subscription || !(await isUnused(ports, subscription))) return subscription
  await dropSubscription(ports, subscriptionId)
  return undefined
}

/** Maximum number of expired subscriptions that one creation deletes. */
const DROPPED_AT_ONCE = 10

async function dropUnused(ports: Ports): Promise<void> {
  if (ports.world.subscriptionTtl === undefined) return
  const oldest = await ports.store.subscriptions.find({
    orderBy: { field: 'usedAt', direction: 'asc' },
    limit: DROPPED_AT_ONCE,
  })
  for (const subscription of oldest) {
    if (await isUnused(ports, subscription)) await dropSubscription(ports, subscription.subscriptionId)
  }
}

/** Returns whether the subscription has had no stream for the duration of SUBSCRIPTION_TTL. */
async function isUnused({ world, clock, bus }: Ports, { subscriptionId, usedAt }: Subscription): Promise<boolean> {
  if (world.subscriptionTtl === undefined || clock.now() - Date.parse(usedAt) < world.subscriptionTtl) return false
  return !(await bus.findClaim({ subscriptionId }))
}
