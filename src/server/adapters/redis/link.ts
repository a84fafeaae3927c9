import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { Unavailable } from '../../ports/failures.ts'
import { StreamReader } from './reader.ts'

/** Milliseconds, about, that a caller waits at most for a server that is away. */
const PATIENCE = 1200
const HEARTBEAT = 1500
/** So long after its last heartbeat an instance counts as gone, and what it holds is free. */
const LEASE = 10_000

/** Milliseconds that a server has to hear that this instance leaves. */
const FAREWELL = 300

export type RedisValue = string | number | Buffer

/** This instance at the Redis server: its connections, and its sign of life. */
export class RedisLink {
  /** Of this process, for as long as it lives. */
  readonly instance: string
  /** Keys of one installation; several may share a server. */
  readonly prefix: string
  readonly reader: StreamReader
  /** Counts the connections there have been: between two, the server may have lost something. */
  connection = 1
  readonly #redis: Redis
  readonly #upkeep = new Set<() => Promise<void>>()
  readonly #whenLost = new Set<() => void>()
  #heartbeat: NodeJS.Timeout | undefined
  #leaseEnd: NodeJS.Timeout | undefined
  #isBeating = false
  /** The last trouble with the connections: a caller that waits for one is told only that it is closed. */
  #trouble: Error | undefined
  /** Why the last sign of life was not taken: a server may answer and yet take nothing. */
  #refusal: Unavailable | undefined

  constructor(url: string, installation: string, instance: string = randomUUID()) {
    this.instance = instance
    this.prefix = `vendor-cloud:${installation}:`
    const options = {
      connectTimeout: PATIENCE,
      maxRetriesPerRequest: 0,
      // A command that may have been done is not done again.
      autoResendUnfulfilledCommands: false,
      // The server that was the first may be the second now; its name leads to the other.
      reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
      retryStrategy: (times: number) => Math.min(50 * times, 500),
      connectionName: 'vendor-cloud',
      // Replies as servers of every age give them.
      protocol: 2 as const,
    }
    // A connection that says nothing is given up, and until there is another, nobody waits.
    const calling = { commandTimeout: PATIENCE + 100, socketTimeout: PATIENCE, enableOfflineQueue: false }
    this.#redis = new Redis(url, { ...options, ...calling, lazyConnect: true })
    // It says what it waits for and for how long; silence beyond that is a broken line.
    const reading = new Redis(url, { ...options, socketTimeout: 2 * PATIENCE, lazyConnect: true })
    // Connecting anew goes on by itself, and who asks is told.
    for (const redis of [this.#redis, reading]) redis.on('error', (error: Error) => (this.#trouble = error))
    const wake = `${this.prefix}wake:${this.instance}`
    this.reader = new StreamReader(reading, wake, async () => {
      await this.call('XADD', wake, 'MAXLEN', '1', '*', 'wake', 'up')
      await this.call('EXPIRE', wake, 60)
    })
  }

  /** Resolves when the server answers; rejects with Unavailable when it does not. */
  async open(): Promise<void> {
    await this.#redis.connect().catch((error: Error) => refuse(this.#trouble ?? error))
    await this.#giveSign()
    await this.call('SADD', `${this.prefix}instances`, this.instance)
    await this.reader.open().catch(refuse)
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT)
    this.#heartbeat.unref()
    // Claims that the server lost, or others took, while it was away are to be seen to at once.
    this.#redis.on('ready', () => {
      this.connection++
      void this.#beat()
    })
  }

  async call(command: string, ...values: RedisValue[]): Promise<unknown> {
    return this.#redis.call(command, ...values).catch(refuse)
  }

  /** Runs a script whole; `values` are its arguments. */
  async run(script: string, keys: readonly string[], values: readonly RedisValue[]): Promise<unknown> {
    return this.#redis.eval(script, keys.length, ...keys, ...values).catch(refuse)
  }

  /** Rejects when the server does not answer, or takes nothing. */
  async ping(): Promise<void> {
    await this.call('PING')
    if (this.#refusal) throw this.#refusal
  }

  /** Does something with every sign of life: the server may have forgotten what it held, or others may hold it. */
  whileAlive(work: () => Promise<void>): () => void {
    this.#upkeep.add(work)
    return () => void this.#upkeep.delete(work)
  }

  /** Does something as soon as the others may take this instance for gone, and its places for free. */
  whenLost(work: () => void): () => void {
    this.#whenLost.add(work)
    return () => void this.#whenLost.delete(work)
  }

  async others(): Promise<string[]> {
    const all = (await this.call('SMEMBERS', `${this.prefix}instances`)) as string[]
    const others = all.filter((each) => each !== this.instance)
    if (others.length === 0) return []
    const leases = (await this.call('MGET', ...others.map((each) => this.#leaseOf(each)))) as (string | null)[]
    const gone = others.filter((_, i) => leases[i] === null)
    if (gone.length > 0) await this.call('SREM', `${this.prefix}instances`, ...gone)
    return others.filter((_, i) => leases[i] !== null)
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#leaseEnd)
    // Its lease ends by itself, if need be.
    const freed = this.#redis.del(this.#leaseOf(this.instance)).catch(() => {})
    await Promise.race([freed, new Promise((resolve) => setTimeout(resolve, FAREWELL).unref())])
    this.#redis.disconnect()
    await this.reader.close()
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return
    this.#isBeating = true
    try {
      await this.#giveSign()
      await this.call('SADD', `${this.prefix}instances`, this.instance)
      this.#refusal = undefined
      for (const work of this.#upkeep) await work()
    } catch (error) {
      // The next beat sees to it.
      if (error instanceof Unavailable) this.#refusal = error
    } finally {
      this.#isBeating = false
    }
  }

  async #giveSign(): Promise<void> {
    const from = performance.now()
    await this.call('SET', this.#leaseOf(this.instance), '1', 'PX', LEASE)
    clearTimeout(this.#leaseEnd)
    // Counted from the asking, so that it is over here before it is over there.
    const lose = () => {
      for (const work of this.#whenLost) work()
    }
    this.#leaseEnd = setTimeout(lose, from + LEASE - performance.now())
    this.#leaseEnd.unref()
  }

  #leaseOf(instance: string): string {
    return `${this.prefix}instance:${instance}`
  }
}

function refuse(cause: Error): never {
  throw new Unavailable('the Redis server cannot be reached', { cause })
}
