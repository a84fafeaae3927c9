import type { FixtureWorld } from '../../../contract/cases/case-origin.ts'
import type { OutboxMessage } from '../../../contract/records/control/outbox-message.ts'
import type { VendorProfile } from '../../../contract/records/control/vendor-profile.ts'
import type { Snapshot } from '../../../contract/records/snapshot.ts'
import type { Reason } from '../view/case-view.ts'
import type { KeptRecords } from '../view/changes.ts'

export interface CaseServer {
  readonly url: string
  /** Gives nothing where this program has no fixtures of that name. */
  digestOfFixtures(name: string): Promise<string | undefined>
  openFixtures(start: string): Promise<FixtureWorld>
  /** Throws an UnusableCase that names the fault. */
  readSnapshot(value: unknown): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<CaseWorld>
  takeSnapshot(): Promise<string>
  close(): Promise<void>
}

export type CaseMail = Pick<OutboxMessage, 'messageId'>

export interface CaseWorld {
  readonly clockControl: {
    /** Milliseconds since the epoch. */
    read(): { now: number; frozen: boolean }
    set(time: { now: number; frozen: boolean }): Promise<unknown>
  }
  /** Mails come in the order in which they were sent. */
  findMails(): Promise<readonly CaseMail[]>
  findMail(messageId: string): Promise<CaseMail | undefined>
  /** Does what progress has brought about, as whoever asks of it does. */
  advanceRequests(): Promise<void>
  hasStream(subscriptionId: string): boolean
  /**
   * Counters and settings are left out. An untouched record stays the same value, so that changes are found by
   * identity.
   */
  readRecords(): Promise<KeptRecords>
  findReason(requestId: string): Reason | undefined
  profile(): VendorProfile | undefined
  setProfile(profile: VendorProfile): Promise<void>
}
