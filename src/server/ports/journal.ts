import type { HttpExchange } from '#contract/exchange.ts'
import type { JournalEntry } from '#contract/records/control/journal.ts'

/** Memory is bounded and the newest entries stay. Ids count from 1, and begin again when it is emptied. */
export interface Journal {
  /** Gives the entry's id. */
  record(record: JournalRecord): number
  /** Completes a record that was stored while its response was delayed. A dropped one is stored again. */
  complete(id: number, record: JournalRecord, whole: JournalRecord): void
  /** The newest record comes first, and both ids are excluded. The journal may change during the scan. */
  scan(range?: { before?: number | undefined; after?: number }): Iterable<ScannedRecord>
  find(id: number): JournalRecord | undefined
  /** 0 when there is none. */
  newest(): number
  /** Changes whenever a record comes or is completed. */
  revision(): number
  /**
   * Waits until `revision` is no longer `after`; resolves to what is left of `withinMs` (milliseconds of real time), 0
   * when it is over. Rejects with the reason of `signal` when that is aborted.
   */
  next(after: number, withinMs: number, signal?: AbortSignal): Promise<number>
  clear(): void
  /** Current and later callers of `next` get the reason. */
  end(reason: Error): void
}

export interface ScannedRecord {
  id: number
  record: JournalRecord
  /** Real time in milliseconds since the epoch. */
  instant: number
}

/** Searches need only these fields. The complete entry is made when it is read. */
export interface JournalRecord
  extends Pick<JournalEntry, 'kind' | 'operation' | 'method' | 'path' | 'status' | 'caller' | 'requestId' | 'traceId'> {
  /** Milliseconds since the epoch, by the world's clock. */
  at: number
  /** About the size in bytes. */
  weight: number
  /** `request` leaves out the reply, which is half of the work, and `head` the request's body too. */
  read(id: number, only?: 'request' | 'head'): JournalEntry
  /** Absent for frames. */
  exchange?(): HttpExchange
  /** The request came, and its reply has not left. */
  waits?: boolean
}
