/** A world's clock. All rules read the time only from this clock, so a move of the clock affects all rules. */
export interface Clock {
  /** Milliseconds since the epoch on the world's clock. Each use case reads it once and passes the value on. */
  now(): number
}

export interface ClockState {
  /** World time in milliseconds since the epoch. */
  now: number
  frozen: boolean
  /** World time minus real time in milliseconds. While the clock is paused, this is 0. */
  offsetMs: number
  realNow: number
}

export interface ClockMove extends ClockState {
  /** The number of tasks that ran. `dueTasks` lists the first of them. */
  due: number
  dueTasks: readonly { at: number; what: string }[]
}

/** Each call resolves after all due tasks have run in order. */
export interface ClockControl {
  read(): ClockState
  /** The time may be earlier than the current one. Absent fields remain unchanged. */
  set(change: { now?: number | undefined; frozen?: boolean | undefined }): Promise<ClockMove>
  advance(milliseconds: number): Promise<ClockMove>
  reset(): Promise<ClockMove>
}

/** Schedules work on the world's clock. Heartbeats and waits do not use it, because they depend on real time. */
export interface Scheduler {
  /**
   * `work` gets the end of the current clock move, or the current time. If it returns false, the task had nothing to do
   * and is not reported. A task with the name of a pending one is ignored. The returned function cancels the task. `at`
   * is in milliseconds since the epoch.
   */
  schedule(at: number, work: Work, what?: string): () => void
}

export type Work = (until: number) => void | boolean | Promise<void>
