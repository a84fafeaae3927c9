import type { WorldOptions } from './inputs.ts'
import type { createOwnCalls } from './own-calls.ts'

/** One world of a running server. Its calls do not affect other worlds. */
export interface VendorCloudWorld extends ReturnType<typeof createOwnCalls> {
  /** Creates a world with its own records, clock, IDs, faults, journal, outbox and streams. */
  world(options?: string | WorldOptions): Promise<VendorCloudWorld>
  /**
   * Creates another world from an earlier state of this one: the state after a step, or after the last step at or
   * before a timestamp. The clock of the new world is paused. This world must have been recorded.
   */
  rewind(
    at: number | string | Date,
    options?: Omit<WorldOptions, 'from' | 'at' | 'seed' | 'now' | 'frozen'>,
  ): Promise<VendorCloudWorld>
}
