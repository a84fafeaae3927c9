/** Rules read no other time, so moving this clock moves everything. */
export interface Clock {
  /** Milliseconds since the epoch, by the world's clock. Read once per use case and handed down. */
  now(): number
}

export interface ClockState {
  /** Milliseconds since the epoch. */
  now: number
  frozen: boolean
  /** World time minus real time in milliseconds; 0 while the clock stands. */
  offsetMs: number
  realNow: number
}

export interface ClockMove extends ClockState {
  /** Counts the tasks that fell due and lists the first ones; `at` is in milliseconds since the epoch. */
  due: number
  fellDue: readonly { at: number; what: string }[]
}

/** Everything that falls due on the way has happened, in order, before a call returns. */
export interface ClockControl {
  read(): ClockState
  /** Earlier times are allowed; what is left out stays as it is. */
  set(change: { now?: number | undefined; frozen?: boolean | undefined }): Promise<ClockMove>
  advance(milliseconds: number): Promise<ClockMove>
  /** Returns to real time, running. */
  reset(): Promise<ClockMove>
}

/** Only work on the world's time is scheduled here; heartbeats and waiting run on real time. */
export interface Scheduler {
  /**
   * Does `work` once the world's clock reaches `at` (milliseconds since the epoch); the returned function cancels it.
   * `work` is told how far the clock is on its way: to the end of a move, or to now. `what` names it; while a task of
   * that name waits, no second one is taken.
   */
  schedule(at: number, work: (until: number) => void | Promise<void>, what?: string): () => void
}
