import type { Purchase as StoredPurchase } from '../schemas/billing/purchase.ts'
import type { JournalEntry } from '../schemas/control/journal.ts'

export type {
  ClockMove,
  ClockState as Clock,
  Fault,
  OutboxMessage as Mail,
  Scenario,
  StreamDescription as Stream,
  WorldSummary,
} from '../client/world.ts'
export type { Page, Payment } from '../client/replies.ts'
export type { ServiceCenter as Center } from '../schemas/appointments/service-center.ts'
export type { AccessToken } from '../schemas/events/access-token.ts'
export type { Device } from '../schemas/events/device.ts'
export type { Location } from '../schemas/events/location.ts'
export type { EventEnvelope as PlatformEvent } from '../schemas/events/platform-event.ts'

export type Entry = JournalEntry
export type Message = NonNullable<Entry['request']>
export type Reason = NonNullable<Entry['why']>

/** As it is shown: what order ids are derived from stays with the server. */
export type Purchase = Omit<StoredPurchase, 'orderSeed'>

export interface JournalPage {
  entries: Entry[]
  totalCount: number
}

export interface Collection {
  name: string
  key: string
  count: number
}

export type StoredRecord = Record<string, unknown>
