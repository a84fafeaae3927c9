import type { HttpExchange } from '#contract/exchange.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'
import type { CallerType } from '#contract/records/control/request-match.ts'

/** Stores the newest entries within a memory limit. IDs start at 1, and start at 1 again after `clear`. */
export interface Journal {
  record(record: JournalRecord): number
  /** Replaces the record of a delayed response. If the record was dropped in the meantime, stores it again. */
  complete(id: number, record: JournalRecord, whole: JournalRecord): void
  /** Newest first, without `before` and `after` themselves. The journal may change during the scan. */
  scan(range?: { before?: number | undefined; after?: number }): Iterable<ScannedRecord>
  find(id: number): JournalRecord | undefined
  newest(): number
  revision(): number
  /** Waits until `revision` differs from `after`, at most `withinMs`. Resolves to the remaining milliseconds. */
  next(after: number, withinMs: number, signal?: AbortSignal): Promise<number>
  clear(): void
  /** All current and later calls of `next` reject with `reason`. */
  end(reason: Error): void
}

export interface ScannedRecord {
  id: number
  record: JournalRecord
  /** Time at which the entry was added: real time in milliseconds since the epoch. */
  instant: number
}

/** The fields that searches need. The complete journal entry is created only when it is read. */
export interface JournalRecord
  extends Pick<JournalEntry, 'kind' | 'operation' | 'method' | 'path' | 'status' | 'caller' | 'requestId' | 'traceId'> {
  /** Milliseconds since the epoch on the world's clock. */
  at: number
  weight: number
  /** `request` omits the response, which halves the time. `head` also omits the request body. */
  read(id: number, only?: 'request' | 'head'): JournalEntry
  /** Frames do not have this function. */
  exchange?(): HttpExchange
  waits?: boolean
  callerType?: CallerType
}
