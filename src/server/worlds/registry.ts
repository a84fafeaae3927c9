import type { Ports } from '../ports.ts'
import type { Clock } from '../ports/clock.ts'
import { WorldEnded } from '../ports/failures.ts'
import type {
  KnownFixtures,
  WorldCopy,
  WorldDescription,
  WorldListener,
  WorldPast,
  WorldPlan,
  Worlds,
} from '../ports/worlds.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import type { WorldRecord } from '../adapters/engine.ts'
import { createSerialQueue } from '../adapters/serial-queue.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import type { Snapshot } from '#contract/records/snapshot.ts'
import type { InitialState } from './initial-state.ts'
import type { RunningWorld } from './running-world.ts'
import { SharedCopy, toPastState } from './world-copy.ts'
import { withProfile } from './world-profile.ts'

/** Returns undefined if the name is in use or, with `replaced`, if that world no longer exists. */
export type WorldOpener = (
  plan: WorldPlan,
  state?: InitialState,
  replaced?: { createdAt: number },
) => RunningWorld | undefined | Promise<RunningWorld | undefined>

export interface RegistryOptions {
  real: Clock
  open: WorldOpener
  fromSnapshot(snapshot: Snapshot): Promise<InitialState>
  fixtures?: KnownFixtures | undefined
  profile?: VendorProfile | undefined
  whenClosed?: () => Promise<void>
  /** Called if a world is unknown. Applies the changes that other instances have made. */
  whenUnknown?: () => Promise<void>
  /** Called after a change. Resolves when the other instances have applied the change. */
  whenChanged?: () => Promise<void>
}

interface Entry extends RunningWorld {
  expiresAt: number
  expiry: NodeJS.Timeout | undefined
}

/** A timer with a longer delay would fire immediately. */
const LONGEST_TIMER = 2 ** 31 - 1

export class WorldRegistry implements Worlds {
  readonly #entries = new Map<string, Entry>()
  readonly #listeners: WorldListener[] = []
  readonly #real: Clock
  readonly #options: RegistryOptions
  /** Changes of worlds run one at a time, so that no name is used twice and no world is deleted twice. */
  readonly #inOrder = createSerialQueue()

  constructor(first: RunningWorld, options: RegistryOptions) {
    this.#real = options.real
    this.#options = options
    void this.#add(first)
  }

  get fixtures(): KnownFixtures | undefined {
    return this.#options.fixtures
  }

  get profile(): VendorProfile | undefined {
    return this.#options.profile
  }

  find(name: string): Ports | undefined {
    return this.#findLive(name)?.ports
  }

  async look(name: string): Promise<Ports | undefined> {
    if (!this.find(name)) await this.#options.whenUnknown?.()
    return this.find(name)
  }

  describe(name: string): WorldDescription | undefined {
    const entry = this.#findLive(name)
    if (!entry) return undefined
    const { seed, profile } = entry.ports.world
    return { ...entry.plan, seed, profile: profile?.profile, createdAt: entry.createdAt }
  }

  get size(): number {
    return this.#entries.size
  }

  list(): WorldDescription[] {
    return [...this.#entries.keys()].flatMap((name) => this.describe(name) ?? [])
  }

  create(plan: WorldPlan, past?: WorldPast): Promise<Ports | undefined> {
    return this.#change(async () => {
      if (this.#findLive(plan.name)) return undefined
      const expired = this.#entries.get(plan.name)
      if (expired) await this.#remove(expired)
      const world = await this.#options.open(plan, past ? await this.#goBack(plan, past) : await this.#copy(plan))
      return world && this.#add(world)
    })
  }

  async delete(name: string): Promise<boolean> {
    const { whenUnknown } = this.#options
    const deleted = name === DEFAULT_WORLD ? undefined : await this.#deleteOnce(name)
    if (!deleted || !whenUnknown) return deleted !== undefined
    // Another instance may have reset the world, which is still the same world and must be deleted.
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

  /** Applies the changes of other instances. `list` returns the current worlds. */
  follow(list: () => Promise<WorldRecord[]>, reopen: (record: WorldRecord) => Promise<RunningWorld>): Promise<void> {
    // The list is read inside the queue, so that it contains the changes that this instance has made.
    return this.#inOrder(async () => {
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
    return this.#inOrder(async () => {
      await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)))
      await this.#options.whenClosed?.()
    })
  }

  async #copy({ from, frozen, profile }: WorldPlan): Promise<InitialState | undefined> {
    if (from === undefined) return undefined
    const source = this.#findLive(from)
    if (!source) throw new WorldEnded(from)
    const state = await source.copyState()
    const records = profile === undefined ? state.records : withProfile(state.records, profile, state.clock.now)
    return { ...state, records, clock: { ...state.clock, frozen: frozen ?? state.clock.frozen } }
  }

  /** Returns the state of a recorded world at an earlier step. The clock of the new world is paused. */
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

  async #add(world: RunningWorld, before?: Ports): Promise<Ports> {
    const { name, expiresIn = Infinity } = world.plan
    const entry: Entry = { ...world, expiresAt: world.createdAt + expiresIn * 1000, expiry: undefined }
    this.#entries.set(name, entry)
    this.#armExpiry(entry)
    await this.#notifyOpened(world.ports, before)
    return world.ports
  }

  /** Waits for the listeners, so that scenarios are resumed before the clock moves. */
  async #notifyOpened(ports: Ports, before?: Ports): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener(ports, before)))
  }

  /** The timer only frees memory. An expired world is detected without the timer. */
  #armExpiry(entry: Entry): void {
    if (entry.expiresAt === Infinity) return
    const left = Math.max(0, entry.expiresAt - this.#real.now())
    const look = () => {
      if (this.#findLive(entry.plan.name) === entry) return this.#armExpiry(entry)
      // Deleted later if the engine is not available. Until then, requests do not find the expired world.
      this.#remove(entry).catch(() => {})
    }
    entry.expiry = setTimeout(look, Math.min(left, LONGEST_TIMER)).unref()
  }

  #findLive(name: string): Entry | undefined {
    const entry = this.#entries.get(name)
    return entry && this.#real.now() < entry.expiresAt ? entry : undefined
  }

  /** If deletion fails, the world continues to exist. */
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

  /** Requests in progress are completed in the old world, but its streams end. */
  async #replace(entry: Entry, state: InitialState | undefined): Promise<Ports> {
    const world = await this.#options.open(entry.plan, state, { createdAt: entry.createdAt })
    if (!world) throw new WorldEnded(entry.plan.name)
    const { discard, close, initialState, ports: before } = entry
    Object.assign(entry, world, { initialState })
    await this.#notifyOpened(world.ports, before)
    // The old world has ended even if its data cannot be deleted now. The next start removes it.
    await discard().catch(close)
    return world.ports
  }

  /** Another instance has reset or created it again, possibly with a different plan, and deletes the old one. */
  async #swap(entry: Entry, fresh: RunningWorld): Promise<void> {
    const { initialState = entry.initialState, createdAt } = fresh
    // A reset does not change the creation time. A world that was deleted and created again has a new one.
    const before = createdAt === entry.createdAt ? entry.ports : undefined
    await this.#add({ ...fresh, initialState }, before)
    await this.#close(entry)
  }

  /** The caller has the ports of the world, so the entry is missing only if the world has been deleted since then. */
  #require(name: string): Entry {
    const entry = this.#entries.get(name)
    if (!entry) throw new WorldEnded(name)
    return entry
  }

  /** Notifies after the change and outside the queue, because other instances may be waiting for this one. */
  async #change<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#inOrder(work)
    await this.#options.whenChanged?.().catch(() => {})
    return done
  }
}
