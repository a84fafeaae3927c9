import type { Redis } from 'ioredis'

export interface StreamEntry {
  id: string
  /** Field names and values in turn. */
  fields: readonly string[]
}

interface Followed {
  after: string
  take: (entry: StreamEntry) => void
}

/** Milliseconds that one question waits for an answer. */
const WAIT = 1000

/** Follows any number of streams over one connection, each from where it stood, over breaks too. */
export class StreamReader {
  readonly #redis: Redis
  readonly #wakeUp: () => Promise<unknown>
  readonly #followed = new Map<string, Followed>()
  #isClosed = false
  #loop: Promise<void> = Promise.resolve()

  /** `wakeUp` writes to the stream `wake`, by another connection: this one waits. */
  constructor(redis: Redis, wake: string, wakeUp: () => Promise<unknown>) {
    this.#redis = redis
    this.#wakeUp = wakeUp
    this.#followed.set(wake, { after: '0', take: () => {} })
  }

  async open(): Promise<void> {
    await this.#redis.connect()
    this.#loop = this.#read()
  }

  /** Gives every entry after `after`, in order; the returned function ends it. */
  follow(key: string, after: string, take: (entry: StreamEntry) => void): () => void {
    const followed = { after, take }
    this.#followed.set(key, followed)
    // The question that is being waited for does not ask for this stream.
    this.#wakeUp().catch(() => {})
    return () => {
      if (this.#followed.get(key) === followed) this.#followed.delete(key)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#redis.disconnect()
    // A server that says nothing does not hang up either.
    await Promise.race([this.#loop, pause()])
  }

  async #read(): Promise<void> {
    while (!this.#isClosed) {
      const asked = new Map(this.#followed)
      try {
        this.#take(asked, await this.#ask(asked))
      } catch {
        // Away, or interrupted: connecting anew goes on by itself.
        if (!this.#isClosed && this.#redis.status !== 'ready') await pause()
      }
    }
  }

  #ask(asked: ReadonlyMap<string, Followed>): Promise<[string, [string, string[]][]][] | null> {
    const from = Array.from(asked.values(), ({ after }) => after)
    return this.#redis.call('XREAD', 'COUNT', 500, 'BLOCK', WAIT, 'STREAMS', ...asked.keys(), ...from) as Promise<
      [string, [string, string[]][]][] | null
    >
  }

  #take(asked: ReadonlyMap<string, Followed>, found: [string, [string, string[]][]][] | null): void {
    for (const [key, entries] of found ?? []) {
      const followed = asked.get(key)
      for (const [id, fields] of entries) {
        // A listener that has ended in between hears no more.
        if (!followed || this.#followed.get(key) !== followed) break
        followed.after = id
        followed.take({ id, fields })
      }
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50).unref())
}
