import type { StoredRecord, Snapshot } from '#contract/records/snapshot.ts'
import type { OutboxMessage } from '#contract/records/control/outbox-message.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { Reason } from '../view/case-view.ts'
import type { StoredRecords } from '../view/changes.ts'
import type { Request } from './request.ts'

export interface FixtureWorld {
  records: Readonly<Record<string, readonly StoredRecord[]>>
  keys: Readonly<Record<string, string>>
}

/** Where a case is played: a server of this program, or a world of the server whose console this is. */
export interface CaseServer<World extends PlayedWorld = CaseWorld> {
  request: Request
  sha256(text: string): string
  /** Gives nothing where this program has no fixtures of that name; absent, the fixtures are not compared. */
  digestOfFixtures?(name: string): Promise<string | undefined>
  openFixtures(start: string): Promise<FixtureWorld>
  /** Throws an UnusableCase that names the fault. */
  readSnapshot(value: Readonly<Record<string, unknown>>): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<World>
  takeSnapshot(): Promise<string>
  close(): Promise<void>
}

export type CaseMail = Pick<OutboxMessage, 'messageId'>

export interface PlayedWorld {
  /** Freezes the clock. Milliseconds since the epoch. */
  setClock(now: number): Promise<void>
  /** Mails come in the order in which they were sent. */
  findMails(): Promise<readonly CaseMail[]>
  findMail(messageId: string): Promise<CaseMail | undefined>
  hasStream(subscriptionId: string): boolean
}

export interface CaseWorld extends PlayedWorld {
  /** Address of its server. */
  readonly url: string
  /**
   * Counters and settings are left out. An untouched record stays the same value, so that changes are found by
   * identity.
   */
  readRecords(): Promise<StoredRecords>
  findReason(requestId: string): Reason | undefined
  profile(): VendorProfile | undefined
  setProfile(profile: VendorProfile): Promise<void>
}
