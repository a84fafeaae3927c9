import type { JournalEntry } from '../schemas/control/journal.ts'

export type {
  CardVerdict,
  CheckRequest,
  ClockMove,
  ClockState as Clock,
  Examination,
  Fault,
  OutboxMessage as Mail,
  Scenario,
  StreamDescription as Stream,
  WorldSummary,
} from '../client/world.ts'
export type {
  CollectionSummary as Collection,
  Page,
  Payment,
  Slot,
  SlotPage,
  SoldPurchase as Purchase,
  Standing,
} from '../client/replies.ts'
export type { ServiceCenter as Center } from '../schemas/appointments/service-center.ts'
export type { AccessToken } from '../schemas/events/access-token.ts'
export type { Device } from '../schemas/events/device.ts'
export type { Location } from '../schemas/events/location.ts'
export type { EventEnvelope as PlatformEvent } from '../schemas/events/platform-event.ts'

export type Entry = JournalEntry
export type Message = NonNullable<Entry['request']>
export type Reason = NonNullable<Entry['why']>

export interface JournalPage {
  entries: Entry[]
  totalCount: number
}

export type StoredRecord = Record<string, unknown>
