import type { Clock, ClockControl, ClockMove, ClockState, Scheduler, Work } from '#server/ports/clock.ts'
import { Unavailable } from '#server/ports/failures.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { yielding } from '#server/ports/yielding.ts'

export interface WorldClock extends Clock, ClockControl, Scheduler {
  restore(state: Required<ClockStart>): void
  close(): void
}

export interface ClockStart {
  now?: number | undefined
  frozen?: boolean | undefined
  /** The real time that corresponds to `now`. Default: the time of the call. */
  realNow?: number | undefined
}

/** Milliseconds after which a failed task is retried. */
const RETRY = 500
const MOST_REPORTED = 100
/** Maximum delay of a timer in Node. If a task is due later, the timer is set again after this time. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Runs tasks one at a time, in the order of their due times. Default of `now`: the real time. */
export function createWorldClock(
  real: Clock,
  { now: start = real.now(), frozen = false, realNow }: ClockStart = {},
): WorldClock {
  const { now, read, place, isFrozen } = createOffsetClock(real)
  place(start, frozen, realNow)
  /** Sorted by due time. Tasks with the same time keep the order in which they were scheduled. */
  let tasks: DueTask[] = []
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  /** Moves and timers share a queue, because they would run tasks out of order if they ran in parallel. */
  const inOrder = createSerialQueue()

  function takeDue(until: number): DueTask | undefined {
    return tasks[0] && tasks[0].at <= until ? tasks.shift() : undefined
  }

  function* dueUntil(target: number) {
    for (let task = takeDue(target); task; task = takeDue(target)) yield task
  }

  async function moveTo(target: number, frozen: boolean, realNow?: number): Promise<ClockMove> {
    let due = 0
    const dueTasks: { at: number; what: string }[] = []
    for await (const task of yielding(dueUntil(target))) {
      if (task.at > now()) place(task.at, true)
      const hadWork = (await run(task, target)) !== false
      // A task without a name is internal, so it is not reported.
      if (hadWork && task.what !== undefined && ++due <= MOST_REPORTED) dueTasks.push({ at: task.at, what: task.what })
    }
    place(target, frozen, realNow)
    arm()
    return { ...read(), due, dueTasks }
  }

  function arm(): void {
    clearTimeout(timer)
    const [first] = tasks
    if (!first || isFrozen()) return
    timer = setTimeout(() => inOrder(runDue), Math.min(Math.max(first.at - now(), 0), LONGEST_TIMER))
    timer.unref()
  }

  async function runDue(): Promise<void> {
    for (let task = takeDue(now()); task; task = takeDue(now())) await run(task, now())
    arm()
  }

  async function run(task: DueTask, until: number): Promise<Awaited<ReturnType<Work>>> {
    try {
      return await task.work(until)
    } catch (error) {
      // Only `Unavailable` is handled here. The task must handle all other errors itself.
      if (error instanceof Unavailable) setTimeout(() => isClosed || inOrder(() => run(task, until)), RETRY).unref()
    }
  }

  return {
    now,
    read,
    set: (change) => inOrder(() => moveTo(change.now ?? now(), change.frozen ?? isFrozen())),
    advance(milliseconds) {
      return inOrder(() => {
        const { now, frozen, realNow } = read()
        return moveTo(now + milliseconds, frozen, realNow)
      })
    },
    reset() {
      return inOrder(() => {
        const { realNow } = read()
        return moveTo(realNow, false, realNow)
      })
    },
    schedule(at, work, what) {
      if (isClosed || (what !== undefined && tasks.some((task) => task.what === what))) return () => {}
      const task = { at, work, what }
      const earlier = tasks.findLastIndex((each) => each.at <= at)
      tasks.splice(earlier + 1, 0, task)
      if (earlier < 0) arm()
      return () => {
        tasks = tasks.filter((each) => each !== task)
      }
    },
    restore(state) {
      place(state.now ?? real.now(), state.frozen === true, state.realNow)
      arm()
    },
    close() {
      isClosed = true
      tasks = []
      clearTimeout(timer)
    },
  }
}

function createOffsetClock(real: Clock) {
  let offsetMs = 0
  let frozenAt: number | undefined

  return {
    now: () => frozenAt ?? real.now() + offsetMs,
    isFrozen: () => frozenAt !== undefined,
    read(): ClockState {
      const realNow = real.now()
      const isRunning = frozenAt === undefined
      return { now: frozenAt ?? realNow + offsetMs, frozen: !isRunning, offsetMs: isRunning ? offsetMs : 0, realNow }
    },
    /** Time that passes between `realNow` and this call does not affect the clock. */
    place(at: number, frozen: boolean, realNow: number = real.now()): void {
      offsetMs = at - realNow
      frozenAt = frozen ? at : undefined
    },
  }
}

interface DueTask {
  /** The time of the world's clock in milliseconds since the epoch. */
  at: number
  work: Work
  what?: string | undefined
}
