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

/** A server that this program started, or a world on the server that provides the console. */
export interface CaseServer<World extends PlayedWorld = CaseWorld> {
  request: Request
  sha256(text: string): string
  /** Returns undefined if this program lacks the named fixtures. Without this method, fixtures are not compared. */
  digestOfFixtures?(name: string): Promise<string | undefined>
  openFixtures(start: string): Promise<FixtureWorld>
  /** Throws an `UnusableCase` that describes the problem. */
  readSnapshot(value: Readonly<Record<string, unknown>>): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<World>
  takeSnapshot(): Promise<string>
  close(): Promise<void>
}

export type CaseMail = Pick<OutboxMessage, 'messageId'>

export interface PlayedWorld {
  /** Pauses the clock at `now`, in milliseconds since the epoch. */
  setClock(now: number): Promise<void>
  /** Emails are returned in the order in which they were sent. */
  findMails(): Promise<readonly CaseMail[]>
  findMail(messageId: string): Promise<CaseMail | undefined>
  hasStream(subscriptionId: string): boolean
}

export interface CaseWorld extends PlayedWorld {
  readonly url: string
  /** Omits counters and settings. An unchanged record stays the same object, so that references can be compared. */
  readRecords(): Promise<StoredRecords>
  findReason(requestId: string): Reason | undefined
  profile(): VendorProfile | undefined
  setProfile(profile: VendorProfile): Promise<void>
}
