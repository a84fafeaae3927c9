import type { PlatformEvent } from '../ports/bus.ts'

/** An event as it is kept; without one it says where a world's events are numbered from. */
export interface KeptEvent {
  sequence: number
  event: PlatformEvent | null
}

/** The recent events of a world, beside its records: a client that comes back after a restart resumes by them. */
export interface EventHistory {
  /** The next ones behind this sequence, in order, some at a time; none when there are no more. */
  readAfter(sequence: number): Promise<readonly KeptEvent[]>
  /** Resolves when they are kept; takes away those up to `forget`. */
  append(events: readonly KeptEvent[], forget?: number): Promise<void>
}

/** Events read at once: few enough that nothing else waits long. */
export const HISTORY_SLICE = 500

/** The sequence before the first event of a world whose events are numbered from the microseconds of this instant. */
export function toFirstSequence(eventsFrom: number): number {
  return Math.round(eventsFrom * 1000)
}
