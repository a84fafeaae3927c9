import type { Fault } from '#contract/records/control/fault.ts'
import type { Variation } from '#contract/records/control/variation.ts'

export interface Faults {
  add(draft: Omit<Fault, 'faultId' | 'hits'>, faultId: string): Fault
  list(): readonly Fault[]
  /** Without the faults of the profile. */
  own(): readonly Fault[]
  /** Includes faults that apply to any operation. */
  of(operation: number | string | undefined): readonly Fault[]
  /** Returns false if the fault was used up or removed after it was listed. */
  applyFaults(faultId: string): boolean
  delete(faultId: string): boolean
  clear(): void
  /** Replaces the faults of the previous profile. */
  setProfile(faults: readonly Fault[]): void
  /** Sets the hit counts of the profile's faults, in the order of the faults. A missing count is 0. */
  setHits(counts: readonly number[]): void
}

export interface Variations {
  read(): Variation | undefined
  /** If `variation` is undefined, the variation of the profile also ends. */
  set(variation: Variation | undefined): void
  /** Has no effect while a manual variation is set. */
  setProfile(variation: Variation | undefined): void
  /** Starts at 1. Makes each response vary differently. */
  next(): number
}
