import {
  type Clock,
  type ClockControl,
  type ClockMove,
  type ClockState,
  type Scheduler,
  Unavailable,
} from '../../ports.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { type DueTask, DueTasks } from './due-tasks.ts'
import { nodeTurns } from './turns.ts'

export interface WorldClock extends Clock, ClockControl, Scheduler {
  /** Puts the clock where a snapshot or a data directory says it stood. */
  restore(state: Required<ClockStart>): void
  /** Forgets what is scheduled. */
  close(): void
}

export interface ClockStart {
  now?: number | undefined
  frozen?: boolean | undefined
}

/** Milliseconds until a task is tried again that could not reach what it needs. */
const RETRY = 500
/** Of what fell due on the way of one move. */
const MOST_TOLD = 100
/** Real timers count at most so far; a later task is looked at again then. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * A world's time: real time and an offset, or standing still. Tasks run one at a time, in the order they fall due.
 * It starts at `now` (milliseconds since the epoch), or with real time; `frozen`, it stands there.
 */
export function createWorldClock(
  real: Clock,
  { now: start = real.now(), frozen = false }: ClockStart = {},
): WorldClock {
  let offsetMs = start - real.now()
  let frozenAt: number | null = frozen ? start : null
  const tasks = new DueTasks()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  /** Two moves at once, or a move and a timer, would run tasks out of order. */
  const inTurn = createSerialQueue()

  const now = () => frozenAt ?? real.now() + offsetMs

  function read(): ClockState {
    const realNow = real.now()
    return {
      now: frozenAt ?? realNow + offsetMs,
      frozen: frozenAt !== null,
      offsetMs: frozenAt === null ? offsetMs : 0,
      realNow,
    }
  }

  function place(at: number, frozen: boolean): void {
    offsetMs = at - real.now()
    frozenAt = frozen ? at : null
  }

  /** Takes the clock to `target` by way of everything that falls due before. */
  async function moveTo(target: number, frozen: boolean): Promise<ClockMove> {
    let due = 0
    const fellDue: { at: number; what: string }[] = []
    for (let task = tasks.takeDue(target); task; task = tasks.takeDue(target)) {
      if (task.at > now()) place(task.at, true)
      await run(task, target)
      due++
      if (task.what !== undefined && fellDue.length < MOST_TOLD) fellDue.push({ at: task.at, what: task.what })
      await nodeTurns.give()
    }
    place(target, frozen)
    arm()
    return { ...read(), due, fellDue }
  }

  function arm(): void {
    clearTimeout(timer)
    const { first } = tasks
    if (!first || frozenAt !== null) return
    timer = setTimeout(() => inTurn(runDue), Math.min(Math.max(first.at - now(), 0), LONGEST_TIMER))
    timer.unref()
  }

  async function runDue(): Promise<void> {
    for (let task = tasks.takeDue(now()); task; task = tasks.takeDue(now())) await run(task, now())
    arm()
  }

  const run = (task: DueTask, until: number): Promise<void> =>
    runAlone(
      () => task.work(until),
      () => isClosed || inTurn(() => run(task, until)),
    )

  return {
    now,
    read,
    set: (change) =>
      inTurn(async () => {
        const frozen = change.frozen ?? frozenAt !== null
        return moveTo(change.now ?? now(), frozen)
      }),
    advance: (milliseconds) => inTurn(() => moveTo(now() + milliseconds, frozenAt !== null)),
    reset: () => inTurn(() => moveTo(real.now(), false)),
    schedule(at, work, what) {
      if (isClosed || (what !== undefined && tasks.has(what))) return () => {}
      const task = { at, work, what }
      tasks.add(task)
      if (tasks.first === task) arm()
      return () => tasks.remove(task)
    },
    restore(state) {
      place(state.now ?? real.now(), state.frozen === true)
      arm()
    },
    close() {
      isClosed = true
      tasks.clear()
      clearTimeout(timer)
    },
  }
}

/** A task that fails has failed alone: the clock goes on, and so does what is due after it. */
async function runAlone(work: () => void | Promise<void>, again: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    // Whoever scheduled it knows what to do about anything else, and has not.
    if (error instanceof Unavailable) setTimeout(again, RETRY).unref()
  }
}
