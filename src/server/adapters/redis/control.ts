import { createSerialQueue } from '../serial-queue.ts'
import type { RedisLink } from './link.ts'

/** A change waits no longer for instances that are slow to take it up. */
const PATIENCE = 1000
const LOOK_EVERY = 10
const RETRY = 250
/** A notice may be lost with the server or never sent, so each instance also looks for itself. */
const LOOK_FOR_ITSELF = 2000

export class RedisControl {
  readonly #link: RedisLink
  readonly #log: string
  #end = () => {}
  #isClosed = false
  readonly #queue = createSerialQueue()
  #turns = 0

  constructor(link: RedisLink) {
    this.#link = link
    this.#log = `${link.prefix}control`
  }

  /** `takeUp` runs after changes of others, until it resolves; they wait for that. */
  async listen(takeUp: () => Promise<void>): Promise<void> {
    const last = (await this.#link.call('XREVRANGE', this.#log, '+', '-', 'COUNT', 1)) as [string, string[]][]
    const unfollow = this.#link.reader.follow(this.#log, last[0]?.[0] ?? '0-0', ({ id, fields: [, from] }) => {
      if (from !== this.#link.instance) this.#inTurn(() => this.#takeUp(takeUp, id))
    })
    const look = setInterval(() => {
      if (this.#turns === 0) this.#inTurn(takeUp)
    }, LOOK_FOR_ITSELF).unref()
    this.#end = () => {
      this.#isClosed = true
      unfollow()
      clearInterval(look)
    }
  }

  /** Resolves when the other instances have taken the change up, or have had time enough. */
  async tell(): Promise<void> {
    const bound = ['MAXLEN', '~', 1000] as const
    const id = (await this.#link.call('XADD', this.#log, ...bound, '*', 'from', this.#link.instance)) as string
    const others = await this.#link.others()
    const until = performance.now() + PATIENCE
    while (performance.now() < until && !(await this.#haveTakenUp(others, id))) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    }
  }

  close(): void {
    this.#end()
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turns++
    this.#queue(work)
      .catch(() => {})
      .finally(() => this.#turns--)
  }

  /** The database may be out of reach just now. */
  async #takeUp(takeUp: () => Promise<void>, id: string): Promise<void> {
    while (!this.#isClosed) {
      try {
        await takeUp()
        await this.#link.call('SET', this.#keyOf(this.#link.instance), id, 'EX', 60)
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY).unref())
      }
    }
  }

  async #haveTakenUp(others: readonly string[], id: string): Promise<boolean> {
    if (others.length === 0) return true
    const seen = (await this.#link.call('MGET', ...others.map((each) => this.#keyOf(each)))) as (string | null)[]
    return seen.every((each) => each !== null && compareIds(each, id) >= 0)
  }

  #keyOf(instance: string): string {
    return `${this.#link.prefix}taken-up:${instance}`
  }
}

/** An id consists of a time and a number. */
function compareIds(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map((id) => id.split('-').map(Number))
  return (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0)
}
