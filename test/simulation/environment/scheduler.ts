import { createHash } from 'node:crypto'
import { Chance } from './chance.ts'

/** One life of an instance: what it waits for dies with it. */
export interface Life {
  readonly name: string
  isAlive: boolean
  isPaused: boolean
  wasPaused?: boolean
}

/** The owner of work outside the instances: of clients, network and seed. */
export const NOBODY: Life = { name: '', isAlive: true, isPaused: false }

interface Task {
  owner: Life
  run: () => void
}

/** As Node's: who asks for one may let the process end meanwhile, which says nothing here. */
export class Timer {
  isOver = false
  readonly owner: Life
  readonly run: () => void
  readonly every: number | undefined
  at: number

  constructor(at: number, task: Task, every: number | undefined) {
    this.at = at
    this.owner = task.owner
    this.run = task.run
    this.every = every
  }

  unref(): this {
    return this
  }

  /** Recording bounds the time of calls by it, and calls are sequential here. */
  refresh(): this {
    return this
  }
}

const realImmediate = globalThis.setImmediate
/** A Wednesday noon in New York, clear of daylight-saving changes. */
export const START = Date.UTC(2026, 4, 6, 16)

/**
 * Owns every wait of the program as a task, and the seed chooses the next one. Time is paused while a task runs, and
 * moves to the next timer when no task is left or the seed is impatient.
 */
export class Scheduler {
  readonly chance: Chance
  /** One in `impatience` steps runs a timer before ready tasks, or none for 0, so that nothing is slow. */
  impatience = 0
  /** One in `gateEvery` waits at a port becomes a task. */
  gateEvery = 3
  steps = 0
  /** Milliseconds since the start. */
  now = 0
  /** Whose work runs now: what it asks for is its own. */
  current = NOBODY
  #ready: Task[] = []
  #timers: Timer[] = []
  readonly #digest = createHash('sha256')

  constructor(seed: number | string) {
    this.chance = new Chance(seed, 'schedule')
  }

  /** A digest of the run so far, equal for equal seeds. */
  get digest(): string {
    return this.#digest.copy().digest('hex').slice(0, 16)
  }

  note(text: string): void {
    this.#digest.update(text)
  }

  get isIdle(): boolean {
    return this.#ready.every(({ owner }) => owner.isPaused)
  }

  soon(run: () => void, owner = this.current): void {
    if (owner.isAlive) this.#ready.push({ owner, run })
  }

  /** Waits at a port, or returns undefined to continue immediately. */
  gate(): Promise<void> | undefined {
    if (!this.chance.once(this.gateEvery)) return undefined
    return new Promise((resolve) => this.soon(resolve))
  }

  in(milliseconds: number, run: () => void, { owner = this.current, repeat = false } = {}): Timer {
    const delay = Math.max(1, Math.ceil(Number(milliseconds) || 0))
    const timer = new Timer(this.now + delay, { owner, run }, repeat ? delay : undefined)
    if (owner.isAlive) this.#insert(timer)
    return timer
  }

  /** Ends a life with all its tasks. */
  end(life: Life): void {
    life.isAlive = false
    this.#ready = this.#ready.filter(({ owner }) => owner !== life)
    this.#timers = this.#timers.filter(({ owner }) => owner !== life)
  }

  /** Does work in the name of a life until all that it leads to has been done. */
  async within(owner: Life, run: () => void): Promise<void> {
    this.current = owner
    run()
    await new Promise((resolve) => realImmediate(resolve))
    this.current = NOBODY
  }

  /** Lets one thing happen; false when nothing can. */
  async step(): Promise<boolean> {
    const task = this.#take()
    this.steps++
    if (!task) return false
    this.note(`${task.owner.name}${this.now};`)
    await this.within(task.owner, task.run)
    return true
  }

  #take(): Task | undefined {
    const isHasty = this.impatience > 0 && this.chance.once(this.impatience)
    return (isHasty ? this.#takeTimer() : undefined) ?? this.#takeReady() ?? this.#takeTimer()
  }

  #takeReady(): Task | undefined {
    const { length } = this.#ready
    const start = length > 0 ? this.chance.below(length) : 0
    for (let i = start; i < start + length; i++) {
      if (!this.#ready[i % length]!.owner.isPaused) return this.#ready.splice(i % length, 1)[0]
    }
    return undefined
  }

  #takeTimer(): Task | undefined {
    for (let timer = this.#timers.shift(); timer; timer = this.#timers.shift()) {
      if (timer.isOver) continue
      this.now = Math.max(this.now, timer.at)
      if (timer.every === undefined) timer.isOver = true
      else {
        timer.at = this.now + timer.every
        this.#insert(timer)
      }
      if (!timer.owner.isPaused) return timer
      this.#ready.push(timer)
    }
    return undefined
  }

  #insert(timer: Timer): void {
    let [low, high] = [0, this.#timers.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#timers[middle]!.at <= timer.at) low = middle + 1
      else high = middle
    }
    this.#timers.splice(low, 0, timer)
  }
}
