import type { StreamClaim } from '../../../src/server/ports/bus.ts'
import { Unavailable } from '../../../src/server/ports/failures.ts'
import { type Claims, LEASE_SECONDS } from '../../../src/server/adapters/postgres/claims.ts'
import type { LogEntry } from '../../../src/server/adapters/postgres/event-log.ts'
import { ENTRIES_PER_READ, type LinkEvents, type LinkSession } from '../../../src/server/adapters/postgres/link.ts'
import { Channel, machine } from './machine.ts'
import { type Life, NOBODY } from './scheduler.ts'

const LEASE = LEASE_SECONDS * 1000
/** Milliseconds after which a statement without a response fails. */
const ANSWER_WITHIN = 1200

interface SimulatedClaim extends StreamClaim {
  instance: string
}

/** The tables of events, instances and claims, and the locks of sessions. */
export class SharedLog {
  readonly sessions = new Set<SimulatedSession>()
  readonly instances = new Map<string, { aliveAt: number; followed: number }>()
  readonly locks = new Map<string, SimulatedSession>()
  readonly #entries = new Map<string, (LogEntry & { at: number })[]>()
  readonly #claims = new Map<string, SimulatedClaim[]>()
  #sequence = 0

  append(world: string, payloads: readonly unknown[]): number {
    const entries = this.#entries.get(world) ?? []
    this.#entries.set(world, entries)
    const at = machine.scheduler.now
    for (const payload of payloads) entries.push({ sequence: ++this.#sequence, payload: JSON.stringify(payload), at })
    return this.#sequence
  }

  headOf(world: string): number {
    return this.#entries.get(world)?.at(-1)?.sequence ?? 0
  }

  after(world: string, sequence: number): LogEntry[] {
    return (this.#entries.get(world) ?? []).filter((entry) => entry.sequence > sequence)
  }

  /** Removes old events from all logs. An instance that has not read these events in time has lost its lease. */
  trim(): void {
    const since = machine.scheduler.now - 2 * LEASE
    for (const [world, entries] of this.#entries) {
      const old = entries.filter(({ at }) => at < since).length
      this.#entries.set(world, entries.slice(Math.min(old, entries.length - 1)))
    }
  }

  history(world: string, { after, upTo }: { after: number; upTo: number }) {
    const entries = this.after(world, after).filter(({ sequence }) => sequence <= upTo)
    return { oldest: this.#entries.get(world)?.[0]?.sequence, entries }
  }

  isAlive(instance: string): boolean {
    return machine.scheduler.now - (this.instances.get(instance)?.aliveAt ?? -Infinity) < LEASE
  }

  /** `trip` runs a function on the server and returns its result. */
  claimsOf(world: string, trip: <T>(run: () => T) => Promise<T>): Claims {
    const live = () => (this.#claims.get(world) ?? []).filter(({ instance }) => this.isAlive(instance))
    const toClaim = ({ instance: _, ...claim }: SimulatedClaim): StreamClaim => claim
    return {
      find: (by) =>
        trip(() => {
          const found = live().find((claim) =>
            'subscriptionId' in by ? claim.subscriptionId === by.subscriptionId : claim.tokenDigest === by.tokenDigest,
          )
          return found && toClaim(found)
        }),
      claim: (claim, instance) =>
        trip(() => {
          // Simulates the foreign key of the claims.
          if (!this.instances.has(instance)) throw new Unavailable('this instance has lost its lease')
          const { subscriptionId, tokenDigest, generation } = claim
          const older = live().find((each) => each.subscriptionId === subscriptionId)
          if (live().some((each) => each !== older && each.tokenDigest === tokenDigest)) return 'token-in-use'
          if (older && older.generation > generation) return 'newer-stream'
          const others = live().filter((each) => each !== older)
          this.#claims.set(world, [...others, { ...claim, instance }])
          const notice = { kind: 'stream-taken', subscriptionId, generation }
          if (older && older.generation < generation) this.append(world, [{ notice }])
          return 'granted'
        }),
      release: (claim, instance) =>
        trip(() => {
          const isReleased = (each: SimulatedClaim) =>
            each.subscriptionId === claim.subscriptionId &&
            each.generation === claim.generation &&
            each.instance === instance
          this.#claims.set(
            world,
            live().filter((each) => !isReleased(each)),
          )
        }),
    }
  }
}

interface Server {
  isUp: boolean
  log: SharedLog
  reaches: (life: Life) => boolean
}

/** Replaces `link-session.ts`. Statements and responses arrive in order, after a delay that depends on the seed. */
export class SimulatedSession implements LinkSession {
  readonly life: Life
  readonly #server: Server
  readonly #events: LinkEvents
  readonly #there = new Channel()
  readonly #back = new Channel()
  #isOpen = true
  #heardAt = machine.scheduler.now

  constructor(server: Server, life: Life, events: LinkEvents) {
    this.#server = server
    this.life = life
    this.#events = events
  }

  async open(): Promise<this> {
    await machine.scheduler.gate()
    if (!this.#isReachable) throw new Error('connect ECONNREFUSED')
    this.#server.log.sessions.add(this)
    return this
  }

  /** The server ends a session that was idle for the duration of a lease. */
  get isLive(): boolean {
    return this.#isOpen && machine.scheduler.now - this.#heardAt < LEASE
  }

  renewLease(instance: string, followed: number): Promise<void> {
    return this.#ask(({ instances }) => void instances.set(instance, { aliveAt: machine.scheduler.now, followed }))
  }

  endLease(instance: string): Promise<void> {
    return this.#ask(({ instances }) => void instances.delete(instance))
  }

  read(positions: ReadonlyMap<string, number>) {
    return this.#ask((log) =>
      Array.from(positions).flatMap(([world, after]) =>
        log
          .after(world, after)
          .slice(0, ENTRIES_PER_READ)
          .map((entry) => ({ world, ...entry })),
      ),
    )
  }

  notify(worlds: readonly string[]): Promise<void> {
    return this.#ask(({ sessions }) => {
      for (const session of sessions) session.#back.send(() => session.#events.notified(worlds), session.life)
    })
  }

  tryLock(name: string): Promise<boolean> {
    return this.#ask(({ locks }) => {
      const holder = locks.get(name)
      if (holder && holder !== this && holder.isLive) return false
      locks.set(name, this)
      return true
    })
  }

  countAfter(instance: string, sequence: number): Promise<number> {
    return this.#ask(
      (log) =>
        [...log.instances].filter(
          ([name, { followed }]) => name !== instance && followed < sequence && log.isAlive(name),
        ).length,
    )
  }

  end(): void {
    this.#isOpen = false
    this.silence()
    this.#server.log.sessions.delete(this)
  }

  /** The connection breaks, and everything that is in progress is lost. */
  break(): void {
    this.end()
    machine.scheduler.soon(() => this.#events.ended(), this.life)
  }

  /** The connection stops working, but neither end is notified. */
  silence(): void {
    this.#there.cut()
    this.#back.cut()
  }

  get #isReachable(): boolean {
    return this.#server.isUp && this.#server.reaches(this.life)
  }

  #ask<T>(run: (log: SharedLog) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(new Error('Connection terminated'))
      const { scheduler } = machine
      const timer = scheduler.in(ANSWER_WITHIN, () => reject(new Error('Query read timeout')), { owner: this.life })
      const arrive = () => {
        if (!this.#isReachable) return
        if (!this.isLive) return this.break()
        this.#heardAt = scheduler.now
        const value = run(this.#server.log)
        this.#back.send(() => {
          timer.isOver = true
          resolve(value)
        }, this.life)
      }
      // A message in the network has no owner, because it may arrive after its sender has ended.
      this.#there.send(arrive, NOBODY)
    })
  }
}
