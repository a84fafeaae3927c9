import type { JournalEntry } from '../../contract/records/control/journal.ts'

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
} from '../control-client/types.ts'
export type {
  CollectionSummary as Collection,
  Page,
  Payment,
  Slot,
  SlotPage,
  SoldPurchase as Purchase,
  Standing,
} from '../control-client/types.ts'
export type { ServiceCenter as Center } from '../../contract/records/appointments/service-center.ts'
export type { AccessToken } from '../../contract/records/events/access-token.ts'
export type { Device } from '../../contract/records/events/device.ts'
export type { Location } from '../../contract/records/events/location.ts'
export type { EventEnvelope as PlatformEvent } from '../../contract/records/events/platform-event.ts'

export type Entry = JournalEntry
export type Message = NonNullable<Entry['request']>
export type Reason = NonNullable<Entry['why']>

export interface JournalPage {
  entries: Entry[]
  totalCount: number
}

export type StoredRecord = Record<string, unknown>
