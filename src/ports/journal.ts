import type { JournalEntry } from '../schemas/journal.ts'

/** What happened in a world: bounded, newest kept. Reading draws entries; recording only keeps what it is given. */
export interface Journal {
  /**
   * `draw` is asked when somebody reads, so that recording costs next to nothing; `weight` is what it holds, in bytes.
   */
  record(draw: (id: number) => JournalEntry, weight: number): void
  /** The same of a text that says it all: it is kept where thousands of entries cost the garbage collector nothing. */
  recordText(text: string, draw: (text: string, id: number) => JournalEntry): void
  /** Newest first. */
  entries(): Iterable<JournalEntry>
  /** How many it holds. */
  size(): number
  /**
   * Waits for the next record; resolves to what is left of `withinMs` (milliseconds of real time), 0 when it is over.
   */
  next(withinMs: number): Promise<number>
  clear(): void
}
