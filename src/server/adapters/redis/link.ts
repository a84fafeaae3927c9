import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { Unavailable } from '../../ports/failures.ts'
import { StreamReader } from './reader.ts'

/** A caller waits about so long for a server that is away. */
const PATIENCE = 1200
const HEARTBEAT = 1500
/** An instance counts as gone so long after its last heartbeat, and its places are free. */
const LEASE = 10_000

/** The server gets so long to hear that this instance leaves. */
const FAREWELL = 300

export type RedisValue = string | number | Buffer

export class RedisLink {
  /** Unique for each process. */
  readonly instance: string
  /** Several installations may share a server, each with keys of its own. */
  readonly prefix: string
  readonly reader: StreamReader
  /** The server may have lost something between two connections, so they are counted. */
  connection = 1
  readonly #redis: Redis
  readonly #upkeep = new Set<() => Promise<void>>()
  readonly #whenLost = new Set<() => void>()
  #heartbeat: NodeJS.Timeout | undefined
  #leaseEnd: NodeJS.Timeout | undefined
  #isBeating = false
  /** Told to callers instead of "closed", which is all that a waiting call learns. */
  #trouble: Error | undefined
  /** A server may answer and still take no writes. */
  #refusal: Unavailable | undefined

  constructor(url: string, installation: string, instance: string = randomUUID()) {
    this.instance = instance
    this.prefix = `vendor-cloud:${installation}:`
    const options = {
      connectTimeout: PATIENCE,
      maxRetriesPerRequest: 0,
      // A command that may have been done is not repeated.
      autoResendUnfulfilledCommands: false,
      // After a failover the old address may be a replica; the name leads to the new primary.
      reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
      retryStrategy: (times: number) => Math.min(50 * times, 500),
      connectionName: 'vendor-cloud',
      // Servers of every age speak protocol 2.
      protocol: 2 as const,
    }
    // A silent connection is given up, and until there is another nobody waits.
    const calling = { commandTimeout: PATIENCE + 100, socketTimeout: PATIENCE, enableOfflineQueue: false }
    this.#redis = new Redis(url, { ...options, ...calling, lazyConnect: true })
    // A blocking read says how long it waits, so longer silence means a broken line.
    const reading = new Redis(url, { ...options, socketTimeout: 2 * PATIENCE, lazyConnect: true })
    // ioredis reconnects by itself, and callers are told.
    for (const redis of [this.#redis, reading]) redis.on('error', (error: Error) => (this.#trouble = error))
    const wake = `${this.prefix}wake:${this.instance}`
    this.reader = new StreamReader(reading, wake, async () => {
      await this.call('XADD', wake, 'MAXLEN', '1', '*', 'wake', 'up')
      await this.call('EXPIRE', wake, 60)
    })
  }

  /** Rejects with Unavailable when the server does not answer. */
  async open(): Promise<void> {
    await this.#redis.connect().catch((error: Error) => refuse(this.#trouble ?? error))
    await this.#giveSign()
    await this.call('SADD', `${this.prefix}instances`, this.instance)
    await this.reader.open().catch(refuse)
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT)
    this.#heartbeat.unref()
    // The server may have lost claims, or others taken them, while it was away.
    this.#redis.on('ready', () => {
      this.connection++
      void this.#beat()
    })
  }

  async call(command: string, ...values: RedisValue[]): Promise<unknown> {
    return this.#redis.call(command, ...values).catch(refuse)
  }

  /** The server runs a script as a whole, so no other command comes between. */
  async run(script: string, keys: readonly string[], values: readonly RedisValue[]): Promise<unknown> {
    return this.#redis.eval(script, keys.length, ...keys, ...values).catch(refuse)
  }

  /** Rejects when the server does not answer, or takes no writes. */
  async ping(): Promise<void> {
    await this.call('PING')
    if (this.#refusal) throw this.#refusal
  }

  /** Runs with every heartbeat, because the server may have forgotten what it held. */
  whileAlive(work: () => Promise<void>): () => void {
    this.#upkeep.add(work)
    return () => void this.#upkeep.delete(work)
  }

  /** Runs as soon as others may take this instance for gone. */
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
    // The lease also ends by itself.
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
      // The next heartbeat tries again.
      if (error instanceof Unavailable) this.#refusal = error
    } finally {
      this.#isBeating = false
    }
  }

  async #giveSign(): Promise<void> {
    const from = performance.now()
    await this.call('SET', this.#leaseOf(this.instance), '1', 'PX', LEASE)
    clearTimeout(this.#leaseEnd)
    // Counted from when the heartbeat was sent, so that the lease ends here before it ends there.
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
