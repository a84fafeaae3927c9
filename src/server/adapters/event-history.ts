import type { PlatformEvent } from '../ports/bus.ts'

/** Without an event it holds the number that a world's events continue from. */
export interface KeptEvent {
  sequence: number
  event: PlatformEvent | null
}

/** A client that returns after a restart resumes by these events. */
export interface EventHistory {
  /** Events come in order, a slice at a time; an empty slice is the end. */
  readAfter(sequence: number): Promise<readonly KeptEvent[]>
  /** Resolves when they are kept; removes events up to `forget`. */
  append(events: readonly KeptEvent[], forget?: number): Promise<void>
}

/** Few events are read at once, so that nothing else waits long. */
export const HISTORY_SLICE = 500

/** Sequences begin with the microseconds of an instant, so that none is given twice. */
export function toFirstSequence(eventsFrom: number): number {
  return Math.round(eventsFrom * 1000)
}
