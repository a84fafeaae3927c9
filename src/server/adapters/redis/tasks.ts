import { randomUUID } from 'node:crypto'
import { Unavailable } from '../../ports/failures.ts'
import type { RedisLink } from './link.ts'
import { leadScript, leaveScript } from './scripts.ts'

/** Another instance that does the same task is waited for no longer. */
const PATIENCE = 1000
const LOOK_EVERY = 15
/** An instance that never comes back keeps a task from others no longer. */
const LONGEST = 2500

/** Each task is done by one instance of all; `key` begins the world's keys. */
export class RedisTasks {
  readonly key: string
  readonly #link: RedisLink

  constructor(link: RedisLink, key: string) {
    this.#link = link
    this.key = `${key}leaders`
  }

  async isLeader(task: string): Promise<boolean> {
    const values = [task, `${this.#link.prefix}instance:`, this.#link.instance]
    return (await this.#link.run(leadScript, [this.key], values)) === 1
  }

  async withLock(task: string, work: () => Promise<void>): Promise<void> {
    const place = `${this.key}:${task}`
    const sign = randomUUID()
    await this.#take(place, sign)
    try {
      await work()
    } finally {
      await this.#link.run(leaveScript, [place], [sign]).catch(() => {})
    }
  }

  async #take(place: string, sign: string): Promise<void> {
    const until = performance.now() + PATIENCE
    while ((await this.#link.call('SET', place, sign, 'NX', 'PX', LONGEST)) === null) {
      if (performance.now() > until) throw new Unavailable('another instance is about it')
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    }
  }
}
