/** Rules read no other time, so moving this clock moves everything. */
export interface Clock {
  /** Milliseconds since the epoch, by the world's clock. Read once per use case and handed down. */
  now(): number
}

export interface ClockState {
  /** Milliseconds since the epoch. */
  now: number
  frozen: boolean
  /** World time minus real time in milliseconds, or 0 while the clock is paused. */
  offsetMs: number
  realNow: number
}

export interface ClockMove extends ClockState {
  /** The number of tasks that ran, and the first ones. `at` is in milliseconds since the epoch. */
  due: number
  dueTasks: readonly { at: number; what: string }[]
}

/** Everything that is due has run, in order, before a call returns. */
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
   * Runs `work` once the world clock reaches `at` (milliseconds since the epoch), and returns a function that cancels
   * it. `work` gets the end of the current move, or now. `what` names it, and a second task with a pending name is
   * ignored.
   */
  schedule(at: number, work: (until: number) => void | Promise<void>, what?: string): () => void
}
