import { createBillingClient, hasAccess } from './billing.ts'
import { bookVisit, openTicket } from './bookings.ts'
import { createEventsClient } from './events.ts'
import { attachImages } from './images.ts'
import { createSupportClient } from './support.ts'
import { createWalletClient } from './wallet.ts'
import { LostAnswer, Refusal } from './wire.ts'

export type { BillingClient, BillingOptions } from './billing.ts'
export type { Choice, TechnicianSlot, Ticket, Visit, WalkInSlot } from './bookings.ts'
export type { EventsClient, EventsOptions } from './events.ts'
export type { StreamEvent } from './stream-connection.ts'
export type { PagedOperation, SupportClient, SupportOperation, SupportOptions } from './support.ts'
export type { WalletClient, WalletOptions } from './wallet.ts'
export type { Wire } from './wire.ts'
export {
  attachImages,
  bookVisit,
  createBillingClient,
  createEventsClient,
  createSupportClient,
  createWalletClient,
  hasAccess,
  LostAnswer,
  openTicket,
  Refusal,
}
