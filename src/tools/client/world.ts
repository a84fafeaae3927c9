import type { WorldOptions } from './inputs.ts'
import type { createOwnCalls } from './own-calls.ts'

/** One world of a running server; another world never notices calls on it. */
export interface VendorCloudWorld extends ReturnType<typeof createOwnCalls> {
  /** The new world has its own records, clock, ids, faults, journal, outbox and streams. */
  world(options?: string | WorldOptions): Promise<VendorCloudWorld>
  /**
   * Needs a recording. Makes another world as this one stood behind a step, or behind the last step by an instant; its
   * clock stands.
   */
  rewind(
    at: number | string | Date,
    options?: Omit<WorldOptions, 'from' | 'at' | 'seed' | 'now' | 'frozen'>,
  ): Promise<VendorCloudWorld>
}
