import { createHash } from 'node:crypto'
import { Chance } from './chance.ts'

/** One run of an instance, from its start to its end. Everything that the instance waits for ends with it. */
export interface Life {
  readonly name: string
  isAlive: boolean
  isPaused: boolean
  wasPaused?: boolean
}

/** Owner of work that does not belong to an instance: clients, network and seed. */
export const NOBODY: Life = { name: '', isAlive: true, isPaused: false }

interface Task {
  owner: Life
  run: () => void
}

/** Replaces the timers of Node. Here, `unref` has no effect. */
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

  /** Has no effect. Recordings use it to limit the time of requests, but here requests run one after the other. */
  refresh(): this {
    return this
  }
}

const realImmediate = globalThis.setImmediate
/** Wednesday noon in New York, not close to a daylight-saving change. */
export const START = Date.UTC(2026, 4, 6, 16)

/**
 * Turns every wait of the program into a task. The seed selects the next task. While a task runs, time does not
 * advance. Time advances to the next timer if no task is left, or if the seed does not wait for the remaining tasks.
 */
export class Scheduler {
  readonly chance: Chance
  /**
   * One in `impatience` steps runs a timer before tasks that are ready, which makes these tasks appear slow. With 0, no
   * step does.
   */
  impatience = 0
  /** One in `gateEvery` waits for a port becomes a task. */
  gateEvery = 3
  steps = 0
  /** Milliseconds since the start. */
  now = 0
  /** Owner of the current work. New tasks belong to the same owner. */
  current = NOBODY
  #ready: Task[] = []
  #timers: Timer[] = []
  readonly #digest = createHash('sha256')

  constructor(seed: number | string) {
    this.chance = new Chance(seed, 'schedule')
  }

  /** A digest of the run so far. Two runs with the same seed have the same digest. */
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

  /** Returns a promise to wait for at a port, or undefined to continue immediately. */
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

  end(life: Life): void {
    life.isAlive = false
    this.#ready = this.#ready.filter(({ owner }) => owner !== life)
    this.#timers = this.#timers.filter(({ owner }) => owner !== life)
  }

  /** Runs work on behalf of an instance, and waits until everything that the work triggers is done. */
  async within(owner: Life, run: () => void): Promise<void> {
    this.current = owner
    run()
    await new Promise((resolve) => realImmediate(resolve))
    this.current = NOBODY
  }

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
