import type { SlotPage } from '#contract/records/appointments/schedule.ts'
import type { PurchaseState } from '#contract/records/billing/purchase.ts'

// Types of the control client's responses. The types of its options and filters are in `inputs.ts`.

export type { SlotPage } from '#contract/records/appointments/schedule.ts'
export type {
  Payment,
  PaymentPage,
  Purchase,
  PurchaseInput,
  SoldPurchase,
  PurchaseWithState,
} from '#contract/records/billing/purchase.ts'
export type { ChoiceSummary } from '#contract/control/choices.ts'
export type { ProfileAnswer, ProfileInput, VendorProfile } from '#contract/records/control/vendor-profile.ts'
export type { ComingMove } from '#contract/control/tickets.ts'
export type { SessionAnswer } from '#contract/records/control/session.ts'
export type { ClockMove, ClockState } from '#contract/records/control/clock.ts'
export type { Coverage } from '#contract/control/journal.ts'
export type { Examination } from '#contract/control/examination.ts'
export type { Fault, FaultDraft } from '#contract/records/control/fault.ts'
export type { JournalEntry, JournalPage, JournalMatch, JournalVerdict } from '#contract/records/control/journal.ts'
export type { OutboxMessage } from '#contract/records/control/outbox-message.ts'
export type { CollectionSummary, Status } from '#contract/records/control/status.ts'
export type { Variation, VariationDraft, VariationKind } from '#contract/records/control/variation.ts'
export type { FieldChange, WorldDiff } from '#contract/records/control/world-diff.ts'
export type { WorldSummary } from '#contract/records/control/world.ts'
export type { AccessTokenRequest, IssuedToken } from '#contract/records/events/access-token.ts'
export type { DeviceChange, HealthChange, LifecycleChange } from '#contract/records/events/device-change.ts'
export type { DeviceEvent } from '#contract/records/events/platform-event.ts'
export type { Scenario, ScenarioInput } from '#contract/records/events/scenario.ts'
export type { ChaosInput, StreamDescription } from '#contract/records/events/stream.ts'
export type { CardVerdict, CheckRequest } from '#contract/records/wallet/card.ts'
export type { SignedCertificate } from '#contract/records/wallet/signing-request.ts'

export interface Page<T> {
  /** The entries of this page. */
  items: T[]
  /** Number of entries on all pages. */
  totalCount: number
}

export interface FeedMessage {
  /** `journal`, `cleared`, `clock`, `device`, `streams`, `outbox` or `changed`. */
  event: string
  /** The format depends on the event. For `journal` it is `{entries, skipped}`. */
  data: unknown
}

/** In the control API, all three kinds of service requests have this format. */
export interface ServiceRequestRecord extends Record<string, unknown> {
  /** ID that the control API expects for this request. */
  srid: string
  /** E0001 open, E0002 in process, E0003 closed. */
  status: string
}

export type BillingState = PurchaseState

export type Slot = SlotPage['items'][number]
