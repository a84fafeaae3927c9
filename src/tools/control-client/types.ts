import type { SlotPage } from '../../contract/records/appointments/schedule.ts'
import type { Purchase, PurchaseStanding } from '../../contract/records/billing/purchase.ts'
import type { VariationDraft } from '../../contract/records/control/variation.ts'
import type { ProfileInput } from '../../contract/records/control/vendor-profile.ts'
import type { SignedCertificate } from '../../contract/records/wallet/signing-request.ts'

// Names of all that the control client takes and answers.

export type { SlotPage } from '../../contract/records/appointments/schedule.ts'
export type { Payment, Purchase, PurchaseInput } from '../../contract/records/billing/purchase.ts'
export type { ChoiceSummary } from '../../contract/records/control/choice.ts'
export type { ProfileAnswer, ProfileInput, VendorProfile } from '../../contract/records/control/vendor-profile.ts'
export type { ComingMove } from '../../contract/records/control/coming-move.ts'
export type { SessionAnswer } from '../../contract/records/control/session.ts'
export type { ClockMove, ClockState } from '../../contract/records/control/clock.ts'
export type { Coverage } from '../../contract/records/control/coverage.ts'
export type { Examination } from '../../contract/records/control/examination.ts'
export type { Fault, FaultDraft } from '../../contract/records/control/fault.ts'
export type { JournalEntry, JournalMatch, JournalPage, JournalVerdict } from '../../contract/records/control/journal.ts'
export type { OutboxMessage } from '../../contract/records/control/outbox-message.ts'
export type { CollectionSummary, Status } from '../../contract/records/control/status.ts'
export type { Variation, VariationDraft, VariationKind } from '../../contract/records/control/variation.ts'
export type { FieldChange, WorldDiff } from '../../contract/records/control/world-diff.ts'
export type { WorldSummary } from '../../contract/records/control/world.ts'
export type { AccessTokenRequest, IssuedToken } from '../../contract/records/events/access-token.ts'
export type { DeviceChange, HealthChange, LifecycleChange } from '../../contract/records/events/device-change.ts'
export type { DeviceEvent } from '../../contract/records/events/platform-event.ts'
export type { Scenario, ScenarioInput } from '../../contract/records/events/scenario.ts'
export type { ChaosInput, StreamDescription } from '../../contract/records/events/stream.ts'
export type { CardVerdict, CheckRequest } from '../../contract/records/wallet/card.ts'

/** A page of a list. */
export interface Page<T> {
  /** The entries of this page. */
  items: T[]
  /** How many there are on all pages. */
  totalCount: number
}

/** Which page of a list. */
export interface Paging {
  /** How many at most: 1 to 100, 20 unless told. */
  limit?: number
  /** How many are left out first. */
  offset?: number
}

/** Messages of a world, as it happens. */
export interface FeedMessage {
  /** `journal`, `cleared`, `clock`, `device`, `streams`, `outbox` or `changed`. */
  event: string
  /** As the event has it: `journal` carries `{entries, skipped}`. */
  data: unknown
}

/** A service request, dealer ticket or in-store request, as the control API answers it. */
export interface ServiceRequestRecord extends Record<string, unknown> {
  /** Its id. */
  srid: string
  /** E0001 open, E0002 in process, E0003 closed. */
  status: string
}

/** A purchase, as the control API shows it. */
export type SoldPurchase = Omit<Purchase, 'orderSeed'>

/** How a purchase stands. */
export type Standing = PurchaseStanding

/** Which days of a service centre. */
export interface SlotQuery {
  /** YYYY-MM-DD; the centre's today unless told. */
  from?: string
  /** How many: 1 to 31, 7 unless told. */
  days?: number
}

/** A slot of a service centre. */
export type Slot = SlotPage['items'][number]

/** A booking of a slot. */
export type TakenPlace = Slot['bookings'][number]

/** A certificate of the local authority. */
export type IssuedCertificate = SignedCertificate

/** How a case is written. */
export interface CaseOptions {
  /** Whether it holds all that the world began with, for years, in the place of what differs from the fixtures. */
  whole?: boolean | undefined
}

/** The origin of a world. */
export interface WorldOptions {
  /** 1 to 64 of a-z 0-9 and -; one that nobody has, unless told. */
  name?: string
  /** Makes every id and token a function of it and of the calls. */
  seed?: string
  /** The world to fork, in the place of fixtures; not beside seed or now. */
  from?: string
  /** Beside `from`, of a world that is recorded: a step's number, or ISO 8601; it begins as that one stood then. */
  at?: number | string
  /** Where its clock starts: ISO 8601 or a Date. */
  now?: string | Date
  /** Whether its clock stands at first. */
  frozen?: boolean
  /** Seconds of real time it lives. */
  expiresIn?: number
  /** Milliseconds that its event streams ask cut-off clients to wait, 0 to 60000. */
  streamRetryMs?: number
  /** How its replies vary at first in what the documents leave open. */
  variation?: VariationDraft
  /** What it does where the documents are silent, or the name of a profile that ships; null: a plain one. */
  profile?: ProfileInput | null
  /** Whether what happens in it is recorded from its start, for `saveCase`. */
  record?: boolean
}

/** Moments of recorded worlds that are compared: a step's number, or ISO 8601. */
export interface DiffMoments {
  /** Of this world; as it is now, unless told. */
  at?: number | string
  /** Of the other one. */
  withAt?: number | string
}

/** Expectations of the journal. */
export interface Expectation {
  /** Exactly so many entries. */
  count?: number
  /** So many entries or more; one, unless told. */
  atLeast?: number
  /** Waits up to so many milliseconds of real time. */
  withinMs?: number
}

/** Which entries of the journal are asked for; all that is given must fit. */
export interface JournalFilter {
  /** Number of document 1's table, or a name such as `createServiceToken`. */
  operation?: number | string
  /** Such as `GET`. */
  method?: string
  /** Without the world's prefix; `*` stands for anything. */
  path?: string
  /** Status of the reply. */
  status?: number
  /** The caller, such as `web-alice`. */
  caller?: string
  /** A text that path, query, headers, body or data hold, in any letter case. */
  q?: string
  /** Whether the status is 400 or more. */
  refused?: boolean
  /** Requests, or frames of event streams. */
  kind?: 'request' | 'frame'
  /** Id of an entry: only older ones. */
  before?: number
  /** How many are left out first. */
  offset?: number
  /** How many at most: 1 to 100, 20 unless told. */
  limit?: number
}

/** Which entries of the journals of all instances. */
export interface JournalsFilter extends Omit<JournalFilter, 'before' | 'offset'> {
  /** `next` of the page before. */
  cursor?: string
}
