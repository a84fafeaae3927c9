import type { ChoiceValues } from '../../contract/records/choices/settable.ts'
import type { VendorProfile } from '../../contract/records/control/vendor-profile.ts'
import type { Recorder } from './recorder.ts'

export interface World {
  name: string
  /** PUBLIC_URL, where links that we hand out begin; absent: the address the request came to. */
  publicUrl: string | undefined
  /** The seed that its ids are a function of; absent: they are random. */
  seed: string | undefined
  /** SUBSCRIPTION_TTL in milliseconds: a subscription that nobody opens for so long is dropped; absent: never. */
  subscriptionTtl: number | undefined
  streamRetryMs: number
  /** Values that the server's settings choose where no profile does. */
  usual: Partial<ChoiceValues>
  /** Values of all choices: they hold where the documents are silent. */
  choices: ChoiceValues
  profile: VendorProfile | undefined
}

/** The memory of a world beside its records, on this instance. */
export interface WorldState {
  /** Requests that brought no id of their own: theirs count on from it. */
  requestCount: number
  /** The items of the vendor that the world has met, up to an entry of its journal. */
  coverage: { upTo: number; what: Set<string> }
  recorder?: Recorder | undefined
}
