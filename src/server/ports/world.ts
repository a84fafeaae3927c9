import type { ChoiceValues } from '#contract/records/control/choice-values.ts'
import type { ComingMove } from '#contract/control/tickets.ts'
import type { Purchase } from '#contract/records/billing/purchase.ts'
import type { SubscriptionStatus } from '#contract/records/billing/subscription-status.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { Recorder } from './recorder.ts'

export interface World {
  name: string
  /** PUBLIC_URL, with which links begin; absent, it is the address of the request. */
  publicUrl: string | undefined
  /** Ids follow from the seed; absent, they are random. */
  seed: string | undefined
  /** SUBSCRIPTION_TTL in milliseconds: an unused subscription is dropped after it; absent, never. */
  subscriptionTtl: number | undefined
  streamRetryMs: number
  /** Used where no profile chooses. */
  usual: Partial<ChoiceValues>
  /** Every choice has a value, because the documents leave it open. */
  choices: ChoiceValues
  profile: VendorProfile | undefined
}

/** Only this instance has this memory, and it goes with the world. */
export interface WorldState {
  /** Requests without an id of their own count on from it. */
  requestCount: number
  /** Covered items of the vendor, up to an entry of the journal. */
  coverage: { upTo: number; what: Set<string> }
  /** Callers that advance requests by the clock wait for each other. The next change is cached per record. */
  progress: { turn: Promise<void>; moves: WeakMap<object, { center: object | undefined; move: NextMove | undefined }> }
  /** A status is valid for `first` and from `from` until `until`, in milliseconds since the epoch. */
  statuses: WeakMap<Purchase, { first: Purchase; from: number; until: number; status: SubscriptionStatus }>
  /** The latest stream keys in responses. Log lines cut them. */
  streamKeys: Set<string>
  recorder?: Recorder | undefined
}

/** The clock moves a request at milliseconds since the epoch. */
export interface NextMove {
  at: number
  name: ComingMove['move']
}
