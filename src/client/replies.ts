import type { Purchase } from '../schemas/billing/purchase.ts'
import type { ClockState } from '../schemas/control/clock.ts'

// What the control API answers beside its schemas' own types.

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

/** One payment of a purchase. */
export interface Payment {
  /** From 1. */
  number: number
  /** When it was made, ISO 8601. */
  at: string
  /** Id of its order. */
  orderId: string
  /** T tiered (low tier) price, R regular price. */
  plan: 'T' | 'R'
  /** What was paid, without tax. */
  price: number
}

/** What runs, and how the world stands. */
export interface Status {
  /** Of the program. */
  version: string
  /** Of each document's interface. */
  documents: Readonly<Record<'support' | 'events' | 'wallet' | 'billing', string | number>>
  /** Name of the world. */
  world: string
  /** Its time. */
  clock: ClockState
  /** Event streams that are open now. */
  liveStreams: number
  /** Records by collection. */
  counts: Record<string, number>
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
export interface Standing {
  /** When it is paid again; absent when it is not. */
  nextPaymentAt?: string
  /** When what is paid for, or the free trial, ends. */
  paidUntil: string
}

/** A token as it is sent. */
export interface IssuedToken {
  /** It is told this once. */
  accessToken: string
}

/** Which days of a service centre. */
export interface SlotQuery {
  /** YYYY-MM-DD; the centre's today unless told. */
  from?: string
  /** How many: 1 to 31, 7 unless told. */
  days?: number
}

/** A slot of a service centre. */
export interface Slot {
  /** Its id, as bookings send it. */
  slotId: string
  /** IH a visit at home, WI a place at the counter. */
  kind: 'IH' | 'WI'
  /** The centre's date. */
  date: string
  /** The centre's time of day. */
  from: string
  /** The centre's time of day. */
  to: string
  /** Places in all. */
  capacity: number
  /** Places that are taken. */
  bookings: TakenPlace[]
}

/** A booking of a slot. */
export interface TakenPlace {
  /** Id of the appointment. */
  appointmentId: string
  /** Id of the request. */
  srid: string
}

/** The slots of a service centre's days. */
export interface SlotPage extends Page<Slot> {
  /** The days, YYYY-MM-DD. */
  dates: string[]
}

/** A certificate of the local authority. */
export interface IssuedCertificate {
  /** PEM. */
  certificate: string
  /** The authority's own, PEM. */
  authority: string
}

/** A collection of the store. */
export interface CollectionSummary {
  /** The plural noun. */
  name: string
  /** The field that records are found by. */
  key: string
  /** How many there are. */
  count: number
}
