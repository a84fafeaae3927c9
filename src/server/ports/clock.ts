/** The only source of time. */
export interface Clock {
  /** Milliseconds since the epoch, by the world's clock. Read once per use case and handed down. */
  now(): number
}

export interface ClockState {
  /** Milliseconds since the epoch. */
  now: number
  frozen: boolean
  /** World time minus real time, in milliseconds; 0 while the clock stands, which has no distance. */
  offsetMs: number
  realNow: number
}

export interface ClockMove extends ClockState {
  /** How many tasks fell due on the way, and what the first of them are; `at` in milliseconds since the epoch. */
  due: number
  fellDue: readonly { at: number; what: string }[]
}

/** Moves the world's clock. What falls due on the way happens in order before the call returns. */
export interface ClockControl {
  read(): ClockState
  /** Any time, also an earlier one; what is left out stays as it is. */
  set(change: { now?: number | undefined; frozen?: boolean | undefined }): Promise<ClockMove>
  advance(milliseconds: number): Promise<ClockMove>
  /** Back to real time, running. */
  reset(): Promise<ClockMove>
}

/** Work that must happen by itself, on the world's time; heartbeats and waiting run on real time. */
export interface Scheduler {
  /**
   * Does `work` once the world's clock reaches `at` (milliseconds since the epoch); the returned function cancels it.
   * `work` is told how far the clock is on its way: to the end of a move, or to now. `what` names it; while a task of
   * that name waits, no second one is taken.
   */
  schedule(at: number, work: (until: number) => void | Promise<void>, what?: string): () => void
}
