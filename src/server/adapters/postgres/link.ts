import { randomUUID } from 'node:crypto'
import { Unavailable } from '#server/ports/failures.ts'
import { LEASE_SECONDS } from './claims.ts'
import { CONTROL_LOG, type LogEntry } from './event-log.ts'

const BEAT = 500
/** Notifications may be lost, so an instance also polls once per this many heartbeats. */
const BEATS_PER_POLL = 4
const RECONNECT_AFTER = 100
/** A change of worlds or clocks waits no longer for other instances to follow it. */
const FOLLOW_WITHIN = 1000
const LOOK_EVERY = 10
const RETRY_AFTER = 250
/** Milliseconds for telling the database that this instance ends. */
const GOODBYE = 300

/** A world with this many entries in one read may have more. */
export const ENTRIES_PER_READ = 500

/** The requests of an instance to the database over its own connection. Every call ends within a second. */
export interface LinkSession {
  /** Also says up to which change of worlds and clocks the instance follows. */
  renewLease(instance: string, followed: number): Promise<void>
  endLease(instance: string): Promise<void>
  /** Entries after the positions, by world and in order, at most `ENTRIES_PER_READ` of each world. */
  read(positions: ReadonlyMap<string, number>): Promise<readonly (LogEntry & { world: string })[]>
  notify(worlds: readonly string[]): Promise<void>
  /** A lock is held until the connection ends. */
  tryLock(name: string): Promise<boolean>
  /** How many other living instances do not follow up to the change. */
  countAfter(instance: string, sequence: number): Promise<number>
  end(): void
}

export interface LinkEvents {
  /** Worlds in whose log another session has committed something. */
  notified(worlds: readonly string[]): void
  ended(): void
}

interface Follower {
  after: number
  take: (entry: LogEntry) => void
}

/** Keeps an instance's lease, passes on what is logged, and reconnects after breaks. */
export class PostgresLink {
  /** Another one after each lost lease, so that claims under the lost one stay void. */
  instance: string = randomUUID()
  readonly #connect: (events: LinkEvents) => Promise<LinkSession>
  readonly #followers = new Map<string, Follower>()
  readonly #onBeat = new Set<() => Promise<void>>()
  readonly #onLost = new Set<() => void>()
  readonly #onDown = new Set<() => void>()
  readonly #locks = new Set<string>()
  #onPoll = () => {}
  /** Worlds that are read next. */
  #due = new Set<string>()
  #nextRead: Promise<void> | undefined
  #lastRead: Promise<void> = Promise.resolve()
  #unannounced = new Set<string>()
  #session: LinkSession | undefined
  #leaseEnd: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  #isClosed = false
  /** Sequences of the last change by this instance, and of the last one that it follows. */
  #lastChange = 0
  #followed = 0

  constructor(connect: (events: LinkEvents) => Promise<LinkSession>) {
    this.#connect = connect
  }

  /** Rejects when the database cannot be used. Worlds are listed after the change with the sequence. */
  async open(lastChange: number): Promise<void> {
    this.#followed = lastChange
    await this.#beat(0)
  }

  /** Entries after `after` come in order; the returned function ends it. */
  follow(world: string, after: number, take: (entry: LogEntry) => void): () => void {
    const follower = { after, take }
    this.#followers.set(world, follower)
    this.#scheduleRead([world])
    return () => {
      if (this.#followers.get(world) === follower) this.#followers.delete(world)
    }
  }

  /** Resolves when everything that was committed before the call has been taken here. */
  catchUp(world: string): Promise<void> {
    this.#due.add(world)
    return this.#read()
  }

  /** Something was committed to the world's log. Announcements of one event-loop tick are sent together. */
  announce(world: string): void {
    this.#scheduleRead([world])
    if (this.#unannounced.size === 0) setImmediate(() => this.#notify())
    this.#unannounced.add(world)
  }

  /** As `announce`, for changes of worlds and clocks. */
  announceChange(sequence: number): void {
    this.#lastChange = Math.max(this.#lastChange, sequence)
    this.announce(CONTROL_LOG)
  }

  /**
   * `takeUp` runs after changes of other instances, until it resolves; they wait for that. It also runs with every poll,
   * since the database may have been restored from a backup.
   */
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

  /** Resolves when other instances follow the changes of this one, or after a second. */
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

  /** Rejects while the database is away. */
  ping(): void {
    this.#live()
  }

  onBeat(work: () => Promise<void>): () => void {
    this.#onBeat.add(work)
    return () => void this.#onBeat.delete(work)
  }

  /** Runs as soon as others may take this instance for gone. */
  onLost(work: () => void): () => void {
    this.#onLost.add(work)
    return () => void this.#onLost.delete(work)
  }

  /** Runs when the database does not respond. */
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

  /** Counted from before the renewal is sent, so that the lease ends here before it ends for others. */
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

  /** One reading serves all that ask for one while another is under way. */
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
        // It may have ended, or begun again, while the reading was under way.
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
    // A notification that is lost only delays.
    this.#session?.notify(worlds).catch(() => {})
  }
}
