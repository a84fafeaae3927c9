import { Chance } from './chance.ts'
import { Scheduler, START, type Timer } from './scheduler.ts'

/** What the program uses from the machine: time, timers and random numbers. */
class Machine {
  scheduler = new Scheduler('boot')
  #bytes = new Chance('bytes')
  /** Never reset between seeds, because a module may have stored an earlier time. */
  #since = 0
  /** Called for intervals that an app starts before the app belongs to an instance. */
  whenInterval: ((run: () => void, milliseconds: number) => void) | undefined

  begin(seed: number | string): Scheduler {
    this.#since += this.scheduler.now + 60_000
    this.scheduler = new Scheduler(seed)
    this.#bytes = new Chance(seed, 'bytes')
    return this.scheduler
  }

  install(): void {
    const set = (run: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) =>
      this.scheduler.in(milliseconds, () => run(...values))
    const clear = (timer: Timer | undefined) => {
      if (timer) timer.isOver = true
    }
    const repeat = (run: () => void, milliseconds = 0) => {
      if (this.whenInterval) this.whenInterval(run, milliseconds)
      return this.scheduler.in(milliseconds, run, { repeat: this.whenInterval === undefined })
    }
    const soon = (run: (...values: unknown[]) => void, ...values: unknown[]) =>
      this.scheduler.soon(() => run(...values))
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: clear })
    Object.assign(globalThis, { setImmediate: soon })
    Date.now = () => START + this.scheduler.now
    performance.now = () => this.#since + this.scheduler.now
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#bytes.below(256)))
  }
}

export const machine = new Machine()

/**
 * The messages of one connection. Each message arrives in a separate task, in the order in which the messages were
 * sent.
 */
export class Channel {
  #waiting: (() => void)[] = []
  #isCut = false

  send(arrive: () => void, owner = machine.scheduler.current): void {
    if (this.#isCut) return
    this.#waiting.push(arrive)
    machine.scheduler.soon(() => this.#waiting.shift()?.(), owner)
  }

  cut(): void {
    this.#isCut = true
    this.#waiting = []
  }
}
