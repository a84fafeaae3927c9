import type { Store } from './store.ts'

/** The writer sees a write at once, others later. */
export interface ReplicaOptions {
  /** A caller without an identity never sees its own writes earlier. */
  caller: string | undefined
  /** Milliseconds since the epoch, by the world's clock. */
  now: number
  /** Milliseconds. */
  lag: number
  /** Work that also writes sees everything at once. */
  isRead: boolean
}

export type OpenReplica = (options: ReplicaOptions) => Store
