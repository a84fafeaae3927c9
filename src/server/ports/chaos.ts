import type { Fault } from '#contract/records/control/fault.ts'
import type { Variation } from '#contract/records/control/variation.ts'

export interface Faults {
  add(draft: Omit<Fault, 'faultId' | 'hits'>, faultId: string): Fault
  list(): readonly Fault[]
  /** The faults that are not from the profile. */
  own(): readonly Fault[]
  /** Those for this operation or for any. */
  of(operation: number | string | undefined): readonly Fault[]
  /** Gives false when the fault was used up or removed since it was listed. */
  applyFaults(faultId: string): boolean
  delete(faultId: string): boolean
  clear(): void
  /** Replaces the faults of the profile before. */
  setProfile(faults: readonly Fault[]): void
  /** The hit counts of the profile's faults in order. A shorter list ends in zeros. */
  setHits(counts: readonly number[]): void
}

export interface Variations {
  /** Undefined means that replies do not vary. */
  read(): Variation | undefined
  /** Undefined ends a profile's variation too. */
  set(variation: Variation | undefined): void
  /** Ignored while a manual variation is set. */
  setProfile(variation: Variation | undefined): void
  /** Numbers replies from 1, so that each varies in its own way. */
  next(): number
}
