import type { WorldOptions } from './inputs.ts'
import type { createOwnCalls } from './own-calls.ts'

/** One world of a running server. Calls on it do not affect other worlds. */
export interface VendorCloudWorld extends ReturnType<typeof createOwnCalls> {
  /** The new world has its own records, clock, ids, faults, journal, outbox and streams. */
  world(options?: string | WorldOptions): Promise<VendorCloudWorld>
  /**
   * Creates another world from the recorded state of this one after a step, or after the last step up to a timestamp.
   * Its clock is paused. Needs a recording.
   */
  rewind(
    at: number | string | Date,
    options?: Omit<WorldOptions, 'from' | 'at' | 'seed' | 'now' | 'frozen'>,
  ): Promise<VendorCloudWorld>
}
