import { randomUUID } from 'node:crypto'
import { Unavailable } from '#server/ports/failures.ts'
import { LEASE_SECONDS } from './claims.ts'
import { CONTROL_LOG, type LogEntry } from './event-log.ts'

const BEAT = 500
/** Number of heartbeats between two polls. Instances poll because notifications may be lost. */
const BEATS_PER_POLL = 4
const RECONNECT_AFTER = 100
/** Maximum time in milliseconds that a change to worlds or clocks waits until other instances have applied it. */
const FOLLOW_WITHIN = 1000
const LOOK_EVERY = 10
const RETRY_AFTER = 250
/** Time allowed, in milliseconds, for notifying the database that this instance is shutting down. */
const GOODBYE = 300

/** If a read returns this many for a world, there may be more. */
export const ENTRIES_PER_READ = 500

/** The requests that an instance sends to the database over its own connection. Every call ends within a second. */
export interface LinkSession {
  /** `followed` is the sequence number of the last change to worlds and clocks that the instance has applied. */
  renewLease(instance: string, followed: number): Promise<void>
  endLease(instance: string): Promise<void>
  /** Entries after each position, in order, at most `ENTRIES_PER_READ` per world. */
  read(positions: ReadonlyMap<string, number>): Promise<readonly (LogEntry & { world: string })[]>
  notify(worlds: readonly string[]): Promise<void>
  /** The lock is held until the connection ends. */
  tryLock(name: string): Promise<boolean>
  /** Returns the number of other live instances that have not applied this change yet. */
  countAfter(instance: string, sequence: number): Promise<number>
  end(): void
}

export interface LinkEvents {
  notified(worlds: readonly string[]): void
  ended(): void
}

interface Follower {
  after: number
  take: (entry: LogEntry) => void
}

export class PostgresLink {
  /** Replaced after each lost lease, so that claims under the old name stay void. */
  instance: string = randomUUID()
  readonly #connect: (events: LinkEvents) => Promise<LinkSession>
  readonly #followers = new Map<string, Follower>()
  readonly #onBeat = new Set<() => Promise<void>>()
  readonly #onLost = new Set<() => void>()
  readonly #onDown = new Set<() => void>()
  readonly #locks = new Set<string>()
  #onPoll = () => {}
  #due = new Set<string>()
  #nextRead: Promise<void> | undefined
  #lastRead: Promise<void> = Promise.resolve()
  #unannounced = new Set<string>()
  #session: LinkSession | undefined
  #leaseEnd: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  #isClosed = false
  #lastChange = 0
  #followed = 0

  constructor(connect: (events: LinkEvents) => Promise<LinkSession>) {
    this.#connect = connect
  }

  /** `lastChange` must be read before the caller lists the worlds, so that no change is missed. */
  async open(lastChange: number): Promise<void> {
    this.#followed = lastChange
    await this.#beat(0)
  }

  /** Calls `take` for each entry after the position `after`, in order. The returned function stops the calls. */
  follow(world: string, after: number, take: (entry: LogEntry) => void): () => void {
    const follower = { after, take }
    this.#followers.set(world, follower)
    this.#scheduleRead([world])
    return () => {
      if (this.#followers.get(world) === follower) this.#followers.delete(world)
    }
  }

  /** Resolves when all entries that were committed before the call have been delivered. */
  catchUp(world: string): Promise<void> {
    this.#due.add(world)
    return this.#read()
  }

  /** Notifies other instances of new entries in the world's log. Calls in the same event-loop tick are combined. */
  announce(world: string): void {
    this.#scheduleRead([world])
    if (this.#unannounced.size === 0) setImmediate(() => this.#notify())
    this.#unannounced.add(world)
  }

  announceChange(sequence: number): void {
    this.#lastChange = Math.max(this.#lastChange, sequence)
    this.announce(CONTROL_LOG)
  }

  /** Other instances wait for `takeUp`. Each poll also calls it, because the database may have been restored. */
  followChanges(takeUp: () => Promise<void>): void {
    let [heard, isBusy] = [this.#followed, false]
    const takeUpAll = async () => {
      if (isBusy) return
      isBusy = true
      do {
        const upTo = heard
        try {
          await takeUp()
          if (upTo > this.#followed) {
            this.#followed = upTo
            await this.#renew(this.#live())
          }
        } catch {
          await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER).unref())
        }
      } while (this.#followed < heard && !this.#isClosed)
      isBusy = false
    }
    this.#onPoll = () => void takeUpAll()
    this.follow(CONTROL_LOG, heard, ({ sequence, payload }) => {
      heard = sequence
      if (payload !== JSON.stringify(this.instance)) void takeUpAll()
    })
  }

  async settled(): Promise<void> {
    const until = performance.now() + FOLLOW_WITHIN
    while ((await this.#live().countAfter(this.instance, this.#lastChange)) > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    }
  }

  async tryLock(name: string): Promise<boolean> {
    if (this.#locks.has(name)) return true
    const isLocked = await this.#live().tryLock(name)
    if (isLocked) this.#locks.add(name)
    return isLocked
  }

  ping(): void {
    this.#live()
  }

  onBeat(work: () => Promise<void>): () => void {
    this.#onBeat.add(work)
    return () => void this.#onBeat.delete(work)
  }

  /** Calls `work` as soon as other instances may treat this instance as stopped. */
  onLost(work: () => void): () => void {
    this.#onLost.add(work)
    return () => void this.#onLost.delete(work)
  }

  onDown(work: () => void): void {
    this.#onDown.add(work)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#leaseEnd)
    clearTimeout(this.#pause)
    const goodbye = this.#session?.endLease(this.instance).catch(() => {})
    await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE).unref())])
    this.#session?.end()
    this.#session = undefined
  }

  #live(): LinkSession {
    if (!this.#session) throw new Unavailable('the database cannot be reached')
    return this.#session
  }

  async #beat(count: number): Promise<void> {
    const isNew = !this.#session
    this.#session ??= await this.#open()
    await this.#renew(this.#session)
    for (const work of this.#onBeat) await work()
    if (isNew || count % BEATS_PER_POLL === 0) {
      this.#scheduleRead(this.#followers.keys())
      this.#onPoll()
    }
    this.#beatLater(BEAT, count + 1)
  }

  #beatLater(after: number, count: number): void {
    if (this.#isClosed) return
    const beat = () =>
      this.#beat(count).catch(() => {
        this.#drop(this.#session)
        for (const work of this.#onDown) work()
        this.#beatLater(RECONNECT_AFTER, count)
      })
    clearTimeout(this.#pause)
    this.#pause = setTimeout(beat, after).unref()
  }

  async #open(): Promise<LinkSession> {
    let session: LinkSession | undefined
    const notified = (worlds: readonly string[]) => this.#scheduleRead(worlds)
    session = await this.#connect({ notified, ended: () => this.#drop(session) })
    if (!this.#isClosed) return session
    session.end()
    throw new Unavailable('the connection to the database is closed')
  }

  #drop(session: LinkSession | undefined): void {
    if (!session || session !== this.#session) return
    this.#session = undefined
    this.#locks.clear()
    session.end()
  }

  /** The lease time starts before the renewal is sent, so this instance treats the lease as lost first. */
  async #renew(session: LinkSession): Promise<void> {
    const sentAt = performance.now()
    await session.renewLease(this.instance, this.#followed)
    clearTimeout(this.#leaseEnd)
    if (this.#isClosed) return
    const lose = () => {
      this.instance = randomUUID()
      for (const work of this.#onLost) work()
    }
    this.#leaseEnd = setTimeout(lose, sentAt + LEASE_SECONDS * 1000 - performance.now()).unref()
  }

  #scheduleRead(worlds: Iterable<string>): void {
    for (const world of worlds) if (this.#followers.has(world)) this.#due.add(world)
    if (this.#due.size > 0) this.#read().catch(() => {})
  }

  /** All calls that arrive while a read is in progress share the next read. */
  #read(): Promise<void> {
    const begin = async () => {
      await this.#lastRead
      this.#nextRead = undefined
      await this.#readDue()
    }
    this.#nextRead ??= begin()
    this.#lastRead = this.#nextRead.catch(() => {})
    return this.#nextRead
  }

  async #readDue(): Promise<void> {
    const session = this.#live()
    while (this.#due.size > 0) {
      const positions = new Map(
        [...this.#due].flatMap((world): [string, number][] => {
          const follower = this.#followers.get(world)
          return follower ? [[world, follower.after]] : []
        }),
      )
      this.#due.clear()
      if (positions.size === 0) return
      const counts = new Map<string, number>()
      for (const { world, ...entry } of await this.#from(session, positions)) {
        const follower = this.#followers.get(world)
        // During the read, the follower may have stopped or started again.
        if (!follower || follower.after !== positions.get(world)) continue
        follower.after = entry.sequence
        positions.set(world, entry.sequence)
        counts.set(world, (counts.get(world) ?? 0) + 1)
        follower.take(entry)
      }
      for (const [world, count] of counts) if (count === ENTRIES_PER_READ) this.#due.add(world)
    }
  }

  async #from(session: LinkSession, positions: ReadonlyMap<string, number>) {
    try {
      return await session.read(positions)
    } catch (error) {
      this.#drop(session)
      throw new Unavailable('the database cannot be reached', { cause: error })
    }
  }

  #notify(): void {
    const worlds = [...this.#unannounced]
    this.#unannounced.clear()
    // Errors are ignored, because a lost notification causes only a delay.
    this.#session?.notify(worlds).catch(() => {})
  }
}
