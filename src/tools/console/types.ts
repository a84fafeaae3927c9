import type { JournalEntry } from '#contract/records/control/journal.ts'

export type {
  CardVerdict,
  ChoiceSummary,
  ComingMove,
  ProfileAnswer,
  ProfileInput,
  CheckRequest,
  ClockMove,
  ClockState as Clock,
  Examination,
  Fault,
  OutboxMessage as Mail,
  StreamDescription as Stream,
  WorldSummary,
  CollectionSummary as Collection,
  Page,
  Payment,
  Slot,
  SlotPage,
  SoldPurchase as Purchase,
  BillingState,
} from '../client/types.ts'
export type { Paging } from '../client/inputs.ts'
export type { Input, Reply } from '#contract/control/calls.ts'
export type { ControlOperation } from '#contract/control/routes.ts'
export type { CollectionName, RecordOf } from '#contract/records/collections.ts'
export type { Device } from '#contract/records/events/device.ts'
export type { Location } from '#contract/records/events/location.ts'
export type { EventEnvelope as PlatformEvent } from '#contract/records/events/platform-event.ts'

export type Entry = JournalEntry
export type Message = NonNullable<Entry['request']>

export type StoredRecord = Record<string, unknown>
