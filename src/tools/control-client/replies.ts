import type { SlotPage } from '../../contract/records/appointments/schedule.ts'
import type { Purchase, PurchaseStanding } from '../../contract/records/billing/purchase.ts'
import type { SignedCertificate } from '../../contract/records/wallet/signing-request.ts'

// What the control API answers beside its schemas' own types.

export type { SlotPage } from '../../contract/records/appointments/schedule.ts'
export type { Payment } from '../../contract/records/billing/purchase.ts'
export type { CollectionSummary, Status } from '../../contract/records/control/status.ts'
export type { IssuedToken } from '../../contract/records/events/access-token.ts'

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

/** What happens in a world, as it happens. */
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
