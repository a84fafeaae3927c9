import type { Fault } from '../../contract/records/control/fault.ts'
import type { Variation } from '../../contract/records/control/variation.ts'

export interface Faults {
  add(draft: Omit<Fault, 'faultId' | 'struck'>, faultId: string): Fault
  list(): Fault[]
  any(): boolean
  /** False when it has been spent or removed since it was listed. */
  strike(faultId: string): boolean
  delete(faultId: string): boolean
  clear(): void
  /** In the place of those of the profile before. */
  setProfile(faults: readonly Fault[]): void
}

export interface Variations {
  /** Absent: replies do not vary. */
  read(): Variation | undefined
  /** Absent: a profile's variation ends too. */
  set(variation: Variation | undefined): void
  /** Holds only while nobody has set another by hand. */
  setProfile(variation: Variation | undefined): void
  /** Number of the next reply, from 1. */
  next(): number
}
