import type { Redis } from 'ioredis'

export interface StreamEntry {
  id: string
  /** Field names and values stand in turn. */
  fields: readonly string[]
}

interface Followed {
  after: string
  take: (entry: StreamEntry) => void
}

/** One blocking question waits so long. */
const WAIT = 1000

/** Follows any number of streams over one connection, and resumes after breaks. */
export class StreamReader {
  readonly #redis: Redis
  readonly #wakeUp: () => Promise<unknown>
  readonly #followed = new Map<string, Followed>()
  #isClosed = false
  #loop: Promise<void> = Promise.resolve()

  /** `wakeUp` writes to the stream `wake` over another connection, since this one blocks. */
  constructor(redis: Redis, wake: string, wakeUp: () => Promise<unknown>) {
    this.#redis = redis
    this.#wakeUp = wakeUp
    this.#followed.set(wake, { after: '0', take: () => {} })
  }

  async open(): Promise<void> {
    await this.#redis.connect()
    this.#loop = this.#read()
  }

  /** Entries after `after` come in order; the returned function ends it. */
  follow(key: string, after: string, take: (entry: StreamEntry) => void): () => void {
    const followed = { after, take }
    this.#followed.set(key, followed)
    // The pending question does not ask for this stream yet.
    this.#wakeUp().catch(() => {})
    return () => {
      if (this.#followed.get(key) === followed) this.#followed.delete(key)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#redis.disconnect()
    // A silent server does not hang up either, so the end does not wait for it.
    await Promise.race([this.#loop, pause()])
  }

  async #read(): Promise<void> {
    while (!this.#isClosed) {
      const asked = new Map(this.#followed)
      try {
        this.#take(asked, await this.#ask(asked))
      } catch {
        // ioredis reconnects by itself.
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
        // A listener may have ended in between.
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
