/** A world's clock. No rule reads the time from anywhere else, so moving this clock affects all of them. */
export interface Clock {
  /** Milliseconds since the epoch on the world's clock. Each use case reads it once and passes the value on. */
  now(): number
}

export interface ClockState {
  /** Time of the world's clock in milliseconds since the epoch. */
  now: number
  frozen: boolean
  /** World time minus real time in milliseconds. While the clock is paused, this is 0. */
  offsetMs: number
  realNow: number
}

export interface ClockMove extends ClockState {
  /** The number of tasks that ran, and the first of those tasks. `at` is in milliseconds since the epoch. */
  due: number
  dueTasks: readonly { at: number; what: string }[]
}

/** Moves a world's clock. A call returns after all due tasks have run in order. */
export interface ClockControl {
  read(): ClockState
  /** The time may be earlier than the current one. Absent fields remain unchanged. */
  set(change: { now?: number | undefined; frozen?: boolean | undefined }): Promise<ClockMove>
  advance(milliseconds: number): Promise<ClockMove>
  reset(): Promise<ClockMove>
}

/** Schedules work on the world's clock. Heartbeats and waits use real time instead. */
export interface Scheduler {
  /**
   * Runs `work` when the world's clock reaches `at` (milliseconds since the epoch). The returned function cancels it.
   * `work` gets the end of the current clock move, or the current time. `what` is the name of the task. A second task
   * with the name of a pending one is ignored.
   */
  schedule(at: number, work: (until: number) => void | Promise<void>, what?: string): () => void
}
