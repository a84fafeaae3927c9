import type { History, PlatformEvent, PublishedEvent } from '../../ports/bus.ts'
import { Unavailable } from '../../ports/failures.ts'
import type { RedisLink } from './link.ts'
import type { StreamEntry } from './reader.ts'
import { appendScript, historyScript } from './scripts.ts'

/** A new stream waits no longer for this instance to catch up. */
const CATCH_UP = 1000

export interface RedisLogOptions {
  /** The sequence before the first event, unless the server knows a later one. */
  head: number
  next: () => number
}

/** All instances see the events in one order; `key` begins the world's keys. */
export class RedisLog {
  readonly keys: readonly [log: string, head: string]
  readonly #link: RedisLink
  readonly #options: RedisLogOptions
  readonly #waiting = new Set<() => void>()
  #connection: number
  /** The last event heard here, and the last one known: the server must not fall behind it. */
  #head = 0
  #known = 0
  #unfollow = () => {}
  #skip = () => {}

  constructor(link: RedisLink, key: string, options: RedisLogOptions) {
    this.#link = link
    this.#options = options
    this.#connection = link.connection
    this.keys = [`${key}log`, `${key}head`]
  }

  get head(): number {
    return this.#head
  }

  /** `skip` is called before an entry in front of which others are missing here. */
  async open(take: (entry: StreamEntry) => void, skip: () => void): Promise<void> {
    const [log, head] = this.keys
    this.#skip = skip
    await this.#link.call('SET', head, this.#options.head, 'NX')
    const last = await this.#readLast()
    this.#head = this.#known = await this.#readHead()
    const after = last && sequenceOf(last) === this.#head ? last.id : `${this.#head}-0`
    this.#unfollow = this.#link.reader.follow(log, after, (entry) => {
      // A hole in the numbers means that the server has lost the end of its log.
      const expected = entry.fields[0] === 'notice' ? this.#head : this.#head + 1
      if (sequenceOf(entry) > expected) skip()
      this.#head = sequenceOf(entry)
      this.#known = Math.max(this.#known, this.#head)
      take(entry)
      for (const look of this.#waiting) look()
    })
  }

  async append(kind: 'event' | 'notice' | 'mark', value: unknown): Promise<void> {
    const next = Math.max(this.#options.next(), this.#known + 1)
    const values = [next, this.#known, kind, JSON.stringify(value)]
    this.#known = Math.max(this.#known, Number(await this.#link.run(appendScript, this.keys, values)))
  }

  /** A returning server may have lost the end of its log, and its numbers must not be given again. */
  async mend(): Promise<void> {
    const { connection } = this.#link
    if (connection > this.#connection && this.#known > (await this.#readHead())) await this.append('mark', {})
    this.#connection = connection
  }

  async history(after: number): Promise<History> {
    // Read before the server is asked, so that events heard meanwhile are no sign of a loss.
    const known = this.#known
    const found = await this.#link.run(historyScript, this.keys, [`${after + 1}-0`])
    const [last, first, entries] = found as [last: string, first: string, entries: [string, string[]][]]
    // A server that knows less than this instance has lost the end of its log.
    if (Number(last) < known) return { events: [], complete: false }
    const oldest = first === '' ? Number(last) + 1 : firstEventAt(first)
    // Entries that this instance has not yet heard come live.
    const heard = entries.map(([id, fields]) => ({ id, fields })).filter((entry) => sequenceOf(entry) <= this.#head)
    const events = heard.filter(({ fields: [kind] }) => kind === 'event').map(toEvent)
    return { events, complete: after >= oldest - 1 }
  }

  /** A client may show an id from another instance, which this one must know too. */
  async catchUp(sequence: number): Promise<void> {
    const last = this.#head < sequence ? await this.#readLast() : undefined
    if (this.#head >= sequence) return
    // The server lost everything, and another instance told it where to begin.
    if (!last || sequenceOf(last) <= this.#head) {
      this.#skip()
      this.#head = sequence
      this.#known = Math.max(this.#known, sequence)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        this.#waiting.delete(look)
        clearTimeout(timer)
      }
      const look = () => {
        if (this.#head < sequence) return
        end()
        resolve()
      }
      const timer = setTimeout(() => {
        end()
        reject(new Unavailable('this instance does not hear of what happens'))
      }, CATCH_UP)
      this.#waiting.add(look)
    })
  }

  close(): void {
    this.#unfollow()
  }

  async #readLast(): Promise<{ id: string } | undefined> {
    const [last] = (await this.#link.call('XREVRANGE', this.keys[0], '+', '-', 'COUNT', 1)) as [string, string[]][]
    return last && { id: last[0] }
  }

  async #readHead(): Promise<number> {
    return Number((await this.#link.call('GET', this.keys[1])) ?? -1)
  }
}

export function toEvent({ id, fields: [, text = ''] }: StreamEntry): PublishedEvent {
  return { ...(JSON.parse(text) as PlatformEvent), sequence: sequenceOf({ id }) }
}

/** A notice stands behind its event, which is gone when the notice is the oldest entry. */
function firstEventAt(id: string): number {
  return sequenceOf({ id }) + (id.endsWith('-0') ? 0 : 1)
}

function sequenceOf({ id }: Pick<StreamEntry, 'id'>): number {
  return Number(id.slice(0, id.indexOf('-')))
}
