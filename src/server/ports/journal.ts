import type { CaseCall, CaseReply } from '../../contract/records/control/case.ts'
import type { JournalEntry } from '../../contract/records/control/journal.ts'

/** The record of events in a world: bounded, newest kept. Ids count from 1 and begin again when it is emptied. */
export interface Journal {
  /** The id that it has from now on. */
  record(record: JournalRecord): number
  /** Completes a record that was kept while it waited for its reply; one that is forgotten by then is kept anew. */
  complete(id: number, record: JournalRecord, whole: JournalRecord): void
  /** Newest first, between two ids, both left out. Takes breaks, so that reading never holds up the server. */
  scan(range?: { before?: number | undefined; after?: number }): AsyncIterable<ScannedRecord>
  find(id: number): JournalRecord | undefined
  /** Id of the newest entry; 0 when there is none. */
  newest(): number
  /** Another number whenever a record came or was completed. */
  revision(): number
  /**
   * Waits until `revision` is no longer `after`; resolves to what is left of `withinMs` (milliseconds of real time), 0
   * when it is over. Rejects with the reason of `signal` when that is aborted.
   */
  next(after: number, withinMs: number, signal?: AbortSignal): Promise<number>
  places: Places
  clear(): void
  /** Callers of `next`, now and from now on, are told the reason. */
  end(reason: Error): void
}

export interface ScannedRecord {
  id: number
  record: JournalRecord
  /** When it came, in milliseconds since the epoch, in real time. */
  instant: number
}

/** Places between the entries, for what is none or comes before its entry. */
export interface Places {
  /** A number between the newest entry's id and the next one, and above those that were given before. */
  next(): number
  /** An event stream has ended now, by the world's clock. */
  endStream(subscriptionId: string, at: number): void
  /** In their order, the newest thousand. */
  ends: readonly StreamEnd[]
}

export interface StreamEnd {
  subscriptionId: string
  /** In milliseconds since the epoch. */
  at: number
  place: number
}

/** An entry as it is kept: what most are found by, and the whole of it, which is made when somebody reads it. */
export interface JournalRecord
  extends Pick<JournalEntry, 'kind' | 'operation' | 'method' | 'path' | 'status' | 'caller' | 'requestId' | 'traceId'> {
  /** In milliseconds since the epoch, by the world's clock. */
  at: number
  /** Its size in bytes, about. */
  weight: number
  /** The whole of it, or what was sent alone: reading the reply is half of the work. */
  read(id: number, only?: 'request'): JournalEntry
  /** The call as it was on the wire, secrets included: for who takes them out otherwise than `shown` has them. */
  whole?(shown: JournalEntry): { call: CaseCall; reply: CaseReply }
  /** Its place when it came, which is before that of the frames that it brought about. */
  place?: number | undefined
  /** It came, and its reply has not left. */
  waits?: boolean
}
