import type { Journal } from '#server/ports/journal.ts'
import type { Ports } from '#server/ports.ts'
import { streamKeyOf } from './stream-access.ts'

interface Derived {
  secret: string
  bySubscription: Map<string, string>
  byKey: Map<string, string>
}

/** A world's memory for keys is bounded; those of further subscriptions are derived anew. */
const MOST = 20_000

/** To derive all keys of a world takes long, so they are kept, also behind their subscriptions' end. */
const kept = new WeakMap<Journal, Derived>()

type Derives = Pick<Ports, 'store' | 'digests' | 'journal'>

/** Gives the key of a subscription that there is, and keeps it: the oldest one makes room. */
export async function issueStreamKey(ports: Derives, subscriptionId: string): Promise<string> {
  const derived = await openDerived(ports)
  if (!derived) throw new Error('the world has no secret')
  const known = derived.bySubscription.get(subscriptionId)
  if (known !== undefined) return known
  const [oldest] = derived.bySubscription
  if (oldest && derived.bySubscription.size >= MOST) {
    derived.bySubscription.delete(oldest[0])
    derived.byKey.delete(oldest[1])
  }
  return derive(ports, derived, subscriptionId)
}

/** Finds only keys that were derived before, and takes no time. */
export function isKeptStreamKey(journal: Journal, word: string): boolean {
  return kept.get(journal)?.byKey.has(word) ?? false
}

/** Who puts another secret into the world's records changes all keys. */
async function openDerived({ store, journal }: Derives): Promise<Derived | undefined> {
  const secret = (await store.settings.get('secret'))?.value
  if (secret === undefined) return undefined
  const known = kept.get(journal)
  if (known?.secret === secret) return known
  const derived: Derived = { secret, bySubscription: new Map(), byKey: new Map() }
  kept.set(journal, derived)
  return derived
}

function derive({ digests }: Derives, { secret, bySubscription, byKey }: Derived, subscriptionId: string): string {
  const key = streamKeyOf(digests, secret, subscriptionId)
  if (bySubscription.size < MOST) {
    bySubscription.set(subscriptionId, key)
    byKey.set(key, subscriptionId)
  }
  return key
}
