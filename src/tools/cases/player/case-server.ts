import type { FixtureWorld } from '../../../contract/cases/case-origin.ts'
import type { VendorProfile } from '../../../contract/records/control/vendor-profile.ts'
import type { Snapshot } from '../../../contract/records/snapshot.ts'
import type { Reason } from '../view/case-view.ts'
import type { KeptRecords } from '../view/changes.ts'

export interface CaseServer {
  readonly url: string
  /** SHA-256 of the fixtures of that name; nothing where this program has none. */
  digestOfFixtures(name: string): Promise<string | undefined>
  /** The snapshot of a world which begins with the fixtures of this program at `start`. */
  openFixtures(start: string): Promise<FixtureWorld>
  /** Throws an UnusableCase that names what is wrong with it. */
  readSnapshot(value: unknown): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<CaseWorld>
  takeSnapshot(): Promise<string>
  close(): Promise<void>
}

export interface CaseWorld {
  readonly clockControl: {
    /** Milliseconds since the epoch. */
    read(): { now: number; frozen: boolean }
    set(time: { now: number; frozen: boolean }): Promise<unknown>
  }
  /** In the order in which they were sent. */
  findMails(offset: number, limit?: number): Promise<readonly object[]>
  countMails(): Promise<number>
  hasStream(subscriptionId: string): boolean
  /** All but counters and settings; a record that nobody touches stays the same value. */
  readRecords(): Promise<KeptRecords>
  /** Why the newest request with this id was refused. */
  findReason(requestId: string): Reason | undefined
  profile(): VendorProfile | undefined
  setProfile(profile: VendorProfile): Promise<void>
}
