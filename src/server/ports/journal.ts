import type { HttpExchange } from '#contract/exchange.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'

/** Stores the newest entries within a memory limit. IDs start at 1, and again after `clear`. */
export interface Journal {
  record(record: JournalRecord): number
  /**
   * Completes a record that was stored while its response was delayed. If the record has been dropped, it is stored
   * again.
   */
  complete(id: number, record: JournalRecord, whole: JournalRecord): void
  /** Yields the newest record first. `before` and `after` are exclusive IDs. The journal may change during the scan. */
  scan(range?: { before?: number | undefined; after?: number }): Iterable<ScannedRecord>
  find(id: number): JournalRecord | undefined
  newest(): number
  revision(): number
  /**
   * Waits until `revision` differs from `after`, at most `withinMs` milliseconds of real time. Resolves to the
   * remaining milliseconds, or to 0 after a timeout. Rejects with the reason of `signal` if it is aborted.
   */
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

/** The fields that searches need. The complete entry is created when it is read. */
export interface JournalRecord
  extends Pick<JournalEntry, 'kind' | 'operation' | 'method' | 'path' | 'status' | 'caller' | 'requestId' | 'traceId'> {
  /** Milliseconds since the epoch on the world's clock. */
  at: number
  weight: number
  /** `request` omits the response, which takes half of the time. `head` omits the request body too. */
  read(id: number, only?: 'request' | 'head'): JournalEntry
  /** Returns the exchange of a request. Absent for frames. */
  exchange?(): HttpExchange
  waits?: boolean
}
