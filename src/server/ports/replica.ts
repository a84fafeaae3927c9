import type { Store } from './store.ts'

/** Where the vendor's replicas are late: a write is seen by its writer at once, by others so much later. */
export interface ReplicaOptions {
  /** The identity that reads or writes; a caller without one is another each time. */
  caller: string | undefined
  /** Milliseconds since the epoch, by the world's clock. */
  now: number
  /** Milliseconds. */
  lag: number
  /** Whether all that it does is to read; what else there is sees all at once. */
  isRead: boolean
}

/** The store as a caller of document 1 finds it. */
export type OpenReplica = (options: ReplicaOptions) => Store
