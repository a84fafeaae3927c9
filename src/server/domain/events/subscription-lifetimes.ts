import type { Ports } from '#server/ports.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'

export function dropSubscription({ store }: Ports, subscriptionId: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    const existed = await tx.subscriptions.delete(subscriptionId)
    if (existed) tx.emit({ notice: { kind: 'subscription-deleted', subscriptionId } })
    return existed
  })
}

/** A subscription that nobody opened for too long is dropped when somebody looks for it. */
export async function findSubscription(ports: Ports, subscriptionId: string): Promise<Subscription | undefined> {
  const subscription = await ports.store.subscriptions.get(subscriptionId)
  if (!subscription || !(await isUnused(ports, subscription))) return subscription
  await dropSubscription(ports, subscriptionId)
  return undefined
}

/** More unused subscriptions go than come, so they never pile up. */
const DROPPED_AT_ONCE = 10

export async function dropUnused(ports: Ports): Promise<void> {
  if (ports.world.subscriptionTtl === undefined) return
  const oldest = await ports.store.subscriptions.find({
    orderBy: { field: 'usedAt', direction: 'asc' },
    limit: DROPPED_AT_ONCE,
  })
  for (const subscription of oldest) {
    if (await isUnused(ports, subscription)) await dropSubscription(ports, subscription.subscriptionId)
  }
}

/** Our choice: SUBSCRIPTION_TTL. */
async function isUnused({ world, clock, bus }: Ports, { subscriptionId, usedAt }: Subscription): Promise<boolean> {
  if (world.subscriptionTtl === undefined || clock.now() - Date.parse(usedAt) < world.subscriptionTtl) return false
  return !(await bus.findClaim({ subscriptionId }))
}
