import type { ChoiceValues } from '#contract/records/control/choice-values.ts'
import type { ComingMove } from '#contract/control/tickets.ts'
import type { Purchase } from '#contract/records/billing/purchase.ts'
import type { SubscriptionStatus } from '#contract/records/billing/subscription-status.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { Recorder } from './recorder.ts'

export interface World {
  name: string
  /** PUBLIC_URL, the start of links. If undefined, links start with the address of the request. */
  publicUrl: string | undefined
  /** If defined, IDs are derived from the seed. Otherwise, IDs are random. */
  seed: string | undefined
  /** SUBSCRIPTION_TTL in milliseconds. If undefined, unused subscriptions are never deleted. */
  subscriptionTtl: number | undefined
  streamRetryMs: number
  /** Default values for choices that the profile does not set. */
  usual: Partial<ChoiceValues>
  /** Every choice has a value. Choices determine what the documents do not specify. */
  choices: ChoiceValues
  profile: VendorProfile | undefined
}

/** State of a world that exists only in this instance's memory, and only as long as the world. */
export interface WorldState {
  requestCount: number
  /** Items of the vendor's API that requests have covered, up to the journal entry `upTo`. */
  coverage: { upTo: number; what: Set<string> }
  /** `turn` runs the calls that advance service requests one after the other. `moves` caches the next changes. */
  progress: { turn: Promise<void>; moves: WeakMap<object, { center: object | undefined; move: NextMove | undefined }> }
  /** Valid from `from` until `until` (milliseconds since the epoch), as long as `first` is the same object. */
  statuses: WeakMap<Purchase, { first: Purchase; from: number; until: number; status: SubscriptionStatus }>
  /** The stream keys that were most recently returned to clients. Log lines shorten these keys. */
  streamKeys: Set<string>
  recorder?: Recorder | undefined
}

/** The next automatic change of a service request. `at` is in milliseconds since the epoch. */
export interface NextMove {
  at: number
  name: ComingMove['move']
}
