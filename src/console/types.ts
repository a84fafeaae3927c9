import type { Purchase as StoredPurchase } from '../schemas/billing/purchase.ts'
import type { JournalEntry } from '../schemas/control/journal.ts'

export type { ServiceCenter as Center } from '../schemas/appointments/service-center.ts'
export type { Fault } from '../schemas/control/fault.ts'
export type { OutboxMessage as Mail } from '../schemas/control/outbox-message.ts'
export type { WorldSummary } from '../schemas/control/world.ts'
export type { AccessToken } from '../schemas/events/access-token.ts'
export type { Device } from '../schemas/events/device.ts'
export type { Location } from '../schemas/events/location.ts'
export type { EventEnvelope as PlatformEvent } from '../schemas/events/platform-event.ts'
export type { Scenario } from '../schemas/events/scenario.ts'
export type { StreamDescription as Stream } from '../schemas/events/stream.ts'

export type Entry = JournalEntry
export type Message = NonNullable<Entry['request']>
export type Reason = NonNullable<Entry['why']>

/** As it is shown: what order ids are derived from stays with the server. */
export type Purchase = Omit<StoredPurchase, 'orderSeed'>

export interface Clock {
  now: string
  frozen: boolean
  offsetMs: number
}

export interface ClockMove extends Clock {
  due: number
}

export interface Status {
  version: string
  counts: Record<string, number>
}

export interface Page<T> {
  items: T[]
  totalCount: number
}

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
