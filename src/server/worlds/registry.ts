import type { Ports } from '../ports.ts'
import type { Clock } from '../ports/clock.ts'
import { WorldEnded } from '../ports/failures.ts'
import type { Peers } from '../ports/peers.ts'
import type {
  KnownFixtures,
  WorldCopy,
  WorldDescription,
  WorldListener,
  WorldPast,
  WorldPlan,
  Worlds,
} from '../ports/worlds.ts'
import { DEFAULT_WORLD } from '../../contract/records/control/world.ts'
import type { WorldRecord } from '../adapters/engine.ts'
import { createNoPeers } from '../adapters/node/instance.ts'
import { createSerialQueue } from '../adapters/serial-queue.ts'
import type { Snapshot } from '../../contract/records/snapshot.ts'
import type { InitialState } from './initial-state.ts'
import { toPastState } from './past-state.ts'
import type { RunningWorld } from './running-world.ts'
import { SharedCopy } from './world-copy.ts'
import { withProfile } from './world-profile.ts'

/**
 * Makes a world from its plan, with the fixtures or with the state given. One that replaces another takes its place,
 * and nothing comes of it when that is gone; else nothing does when another instance has one of this name.
 */
export type WorldOpener = (
  plan: WorldPlan,
  state?: InitialState,
  replaced?: { createdAt: number },
) => RunningWorld | undefined | Promise<RunningWorld | undefined>

export interface OpenedWorld {
  plan: WorldPlan
  world: RunningWorld
}

export interface RegistryOptions {
  /** Real time, which expiry follows. */
  real: Clock
  open: WorldOpener
  fromSnapshot(snapshot: Snapshot): Promise<InitialState>
  fixtures?: KnownFixtures | undefined
  /** The instances that share the worlds; none without it. */
  peers?: Peers
  whenClosed?: () => Promise<void>
  /** Follows other instances, when a world is asked for that is not known here. */
  whenUnknown?: () => Promise<void>
  /** Tells other instances of a change to the worlds that is done; resolves when they have followed. */
  whenChanged?: () => Promise<void>
}

interface Entry extends RunningWorld {
  plan: WorldPlan
  createdAt: number
  /** Milliseconds since the epoch, in real time. */
  expiresAt: number
  expiry: NodeJS.Timeout | undefined
}

/** Real timers count at most so far. */
const LONGEST_TIMER = 2 ** 31 - 1

export class WorldRegistry implements Worlds {
  readonly peers: Peers
  readonly #entries = new Map<string, Entry>()
  readonly #listeners: WorldListener[] = []
  readonly #real: Clock
  readonly #options: RegistryOptions
  /** One change of the worlds at a time: a name is given once, and a world is ended once. */
  readonly #inTurn = createSerialQueue()

  constructor(first: OpenedWorld, options: RegistryOptions) {
    this.#real = options.real
    this.#options = options
    this.peers = options.peers ?? createNoPeers()
    void this.#add(first)
  }

  get fixtures(): KnownFixtures | undefined {
    return this.#options.fixtures
  }

  find(name: string): Ports | undefined {
    return this.#findLive(name)?.ports
  }

  async look(name: string): Promise<Ports | undefined> {
    if (!this.find(name)) await this.#options.whenUnknown?.()
    return this.find(name)
  }

  list(): WorldDescription[] {
    return [...this.#entries.keys()].flatMap((name) => {
      const entry = this.#findLive(name)
      return entry
        ? {
            ...entry.plan,
            seed: entry.ports.world.seed,
            profile: entry.ports.world.profile?.profile,
            createdAt: entry.createdAt,
          }
        : []
    })
  }

  create(plan: WorldPlan, past?: WorldPast): Promise<Ports | undefined> {
    return this.#change(async () => {
      if (this.#findLive(plan.name)) return undefined
      const expired = this.#entries.get(plan.name)
      if (expired) await this.#remove(expired)
      const world = await this.#options.open(plan, past ? await this.#goBack(plan, past) : await this.#copy(plan))
      return world && this.#add({ plan, world })
    })
  }

  async delete(name: string): Promise<boolean> {
    const { whenUnknown } = this.#options
    const deleted = name === DEFAULT_WORLD ? undefined : await this.#deleteOnce(name)
    if (!deleted || !whenUnknown) return deleted !== undefined
    // Another instance may just have begun it anew: it is still the same world.
    await whenUnknown()
    if (this.#findLive(name)?.createdAt === deleted.createdAt) await this.delete(name)
    return true
  }

  reset(name: string): Promise<Ports> {
    return this.#change(async () => {
      const entry = this.#require(name)
      return this.#replace(entry, await entry.initialState?.())
    })
  }

  restore(name: string, snapshot: Snapshot, head?: number): Promise<Ports> {
    return this.#change(async () => {
      const state = await this.#options.fromSnapshot(snapshot)
      return this.#replace(this.#require(name), head === undefined ? state : { ...state, eventsFrom: head / 1000 })
    })
  }

  async copy(ports: Ports): Promise<WorldCopy> {
    const entry = this.#findLive(ports.world.name)
    if (entry?.ports !== ports) throw new WorldEnded(ports.world.name)
    return new SharedCopy(await entry.copyState())
  }

  onOpen(listener: WorldListener): void {
    this.#listeners.push(listener)
    for (const { ports } of this.#entries.values()) void listener(ports)
  }

  /** Does here what other instances have done: `list` gives the worlds there are now, `reopen` opens one of them. */
  follow(list: () => Promise<WorldRecord[]>, reopen: (record: WorldRecord) => Promise<OpenedWorld>): Promise<void> {
    // Listed in the turn: what this instance has done itself is in it.
    return this.#inTurn(async () => {
      const records = await list()
      const names = new Set(records.map(({ plan }) => plan.name))
      for (const entry of this.#entries.values()) {
        const { name } = entry.plan
        if (!names.has(name) && name !== DEFAULT_WORLD) await this.#close(entry)
      }
      for (const record of records) {
        const entry = this.#entries.get(record.plan.name)
        if (!entry) await this.#add(await reopen(record))
        else if (entry.id === record.id) entry.moveClock?.({ clock: record.clock, moves: record.clockMoves ?? 0 })
        else await this.#swap(entry, await reopen(record))
      }
    })
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)))
      await this.#options.whenClosed?.()
    })
  }

  /** The other world as it is now: a fork begins with it. */
  async #copy({ from, frozen, profile }: WorldPlan): Promise<InitialState | undefined> {
    if (from === undefined) return undefined
    const source = this.#findLive(from)
    if (!source) throw new WorldEnded(from)
    const state = await source.copyState()
    const records = profile === undefined ? state.records : withProfile(state.records, profile, state.clock.now)
    return { ...state, records, clock: { ...state.clock, frozen: frozen ?? state.clock.frozen } }
  }

  /** A recorded world as it stood then, with a clock that stands. */
  async #goBack({ from = '', profile }: WorldPlan, past: WorldPast): Promise<InitialState> {
    if (!(past.copy instanceof SharedCopy)) throw new WorldEnded(from)
    const state = await toPastState(past.copy.state, past)
    if (profile === undefined) return state
    const records = withProfile(state.records, profile, past.now)
    return { ...state, records, since: undefined }
  }

  #deleteOnce(name: string): Promise<Entry | undefined> {
    return this.#change(async () => {
      const entry = this.#findLive(name)
      if (entry) await this.#remove(entry)
      return entry
    })
  }

  async #add({ plan, world }: OpenedWorld, before?: Ports): Promise<Ports> {
    const { createdAt = this.#real.now() } = world
    const expiresAt = plan.expiresIn === undefined ? Infinity : createdAt + plan.expiresIn * 1000
    const entry: Entry = { ...world, plan, createdAt, expiresAt, expiry: undefined }
    this.#entries.set(plan.name, entry)
    this.#armExpiry(entry)
    await this.#tellOpened(world.ports, before)
    return world.ports
  }

  /** Opening waits for the listeners: what plays in the world goes on before anybody moves its clock. */
  async #tellOpened(ports: Ports, before?: Ports): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener(ports, before)))
  }

  /** Frees what an abandoned world holds; that it is gone is seen without a timer. */
  #armExpiry(entry: Entry): void {
    if (entry.expiresAt === Infinity) return
    const left = Math.max(0, entry.expiresAt - this.#real.now())
    const look = () => {
      if (this.#findLive(entry.plan.name) === entry) return this.#armExpiry(entry)
      // An engine that is away discards when it is back: an expired world is not found meanwhile.
      this.#remove(entry).catch(() => {})
    }
    entry.expiry = setTimeout(look, Math.min(left, LONGEST_TIMER)).unref()
  }

  #findLive(name: string): Entry | undefined {
    const entry = this.#entries.get(name)
    return entry && (entry.expiresAt === Infinity || this.#real.now() < entry.expiresAt) ? entry : undefined
  }

  /** A world that cannot be discarded stays. */
  async #remove(entry: Entry): Promise<void> {
    await entry.discard()
    this.#forget(entry)
  }

  async #close(entry: Entry): Promise<void> {
    this.#forget(entry)
    await entry.close()
  }

  #forget(entry: Entry): void {
    if (this.#entries.get(entry.plan.name) === entry) this.#entries.delete(entry.plan.name)
    clearTimeout(entry.expiry)
  }

  /** The world under a name anew; requests that have the old one finish in it, its streams end. */
  async #replace(entry: Entry, state: InitialState | undefined): Promise<Ports> {
    const world = await this.#options.open(entry.plan, state, { createdAt: entry.createdAt })
    if (!world) throw new WorldEnded(entry.plan.name)
    const { discard, close, initialState, ports: before } = entry
    Object.assign(entry, world, { initialState })
    await this.#tellOpened(world.ports, before)
    // It is over, whatever becomes of what was stored of it: the engine sweeps that when it starts.
    await discard().catch(close)
    return world.ports
  }

  /** Another instance has put a world in its place, maybe of another plan, and discards the old one. */
  async #swap(entry: Entry, fresh: OpenedWorld): Promise<void> {
    const { initialState = entry.initialState, createdAt } = fresh.world
    // A reset keeps the instant at which the world was created; a world that was deleted and made again has another.
    const before = createdAt === entry.createdAt ? entry.ports : undefined
    await this.#add({ ...fresh, world: { ...fresh.world, initialState } }, before)
    await this.#close(entry)
  }

  /** The caller holds the world's ports, so it is there, unless it was deleted in between. */
  #require(name: string): Entry {
    const entry = this.#entries.get(name)
    if (!entry) throw new WorldEnded(name)
    return entry
  }

  /** Others are told once it is done, and out of turn: they may be waiting for this instance just as well. */
  async #change<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#inTurn(work)
    await this.#options.whenChanged?.().catch(() => {})
    return done
  }
}
