import { createSerialQueue } from '../adapters/serial-queue.ts'
import { type Clock, DEFAULT_WORLD, type Ports, type WorldDescription, type WorldPlan } from '../ports.ts'
import type { Snapshot } from '../schemas/snapshot.ts'
import type { FirstWorld, KeptWorld, OpenWorld, WorldOpener } from './open-world.ts'
import type { Lister, WorldRegistry, WorldsOptions } from './registry.ts'

interface Entry extends OpenWorld {
  description: WorldDescription
  /** What a reset opens it from. */
  start: { plan: WorldPlan; snapshot?: Snapshot | undefined }
  /** Milliseconds since the epoch, in real time. */
  expiresAt: number
  expiry: NodeJS.Timeout | undefined
}

/** Real timers count at most so far. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Keeps the worlds by name; `real` is real time, which expiry follows. */
export function createWorlds(
  first: FirstWorld,
  open: WorldOpener,
  real: Clock,
  options: WorldsOptions = {},
): WorldRegistry {
  return new OpenWorlds(first, open, real, options)
}

class OpenWorlds implements WorldRegistry {
  readonly #entries = new Map<string, Entry>()
  readonly #listeners: ((ports: Ports) => void)[] = []
  readonly #open: WorldOpener
  readonly #real: Clock
  readonly #options: WorldsOptions
  /** One change of the worlds at a time: a name is given once, and a world is ended once. */
  readonly #inTurn = createSerialQueue()

  constructor(first: FirstWorld, open: WorldOpener, real: Clock, options: WorldsOptions) {
    this.#open = open
    this.#real = real
    this.#options = options
    this.#add(first)
  }

  find(name: string): Ports | undefined {
    return this.#findLive(name)?.ports
  }

  async look(name: string): Promise<Ports | undefined> {
    if (!this.find(name)) await this.#options.whenUnknown?.()
    return this.find(name)
  }

  list(): WorldDescription[] {
    return [...this.#entries.keys()].flatMap((name) => this.#findLive(name)?.description ?? [])
  }

  create(plan: WorldPlan): Promise<Ports | undefined> {
    return this.#change(async () => {
      if (this.#findLive(plan.name)) return undefined
      const expired = this.#entries.get(plan.name)
      if (expired) await this.#remove(expired)
      const world = await this.#open(plan)
      return world && this.#add({ plan, world })
    })
  }

  delete(name: string): Promise<boolean> {
    return this.#change(async () => {
      const entry = name === DEFAULT_WORLD ? undefined : this.#findLive(name)
      if (entry) await this.#remove(entry)
      return entry !== undefined
    })
  }

  reset(name: string): Promise<Ports> {
    return this.#change(async () => {
      const entry = this.#require(name)
      const { plan, snapshot } = entry.start
      return this.#replace(entry, snapshot ? snapshot.seed : plan.seed, snapshot)
    })
  }

  restore(name: string, snapshot: Snapshot): Promise<Ports> {
    return this.#change(async () => this.#replace(this.#require(name), snapshot.seed, snapshot))
  }

  onOpen(listener: (ports: Ports) => void): void {
    this.#listeners.push(listener)
    for (const { ports } of this.#entries.values()) listener(ports)
  }

  follow<K extends KeptWorld>(list: Lister<K>, reopen: (kept: K) => Promise<FirstWorld>): Promise<void> {
    // Listed in the turn: what this instance has done itself is in it.
    return this.#inTurn(async () => {
      const kept = await list()
      const names = new Set(kept.map(({ plan }) => plan.name))
      for (const entry of this.#entries.values()) {
        const { name } = entry.description
        if (!names.has(name) && name !== DEFAULT_WORLD) await this.#close(entry)
      }
      for (const each of kept) {
        const entry = this.#entries.get(each.plan.name)
        if (!entry) this.#add(await reopen(each))
        else if (entry.id === each.id) entry.moveClock?.({ clock: each.clock, moves: each.clockMoves ?? 0 })
        else await this.#swap(entry, await reopen(each))
      }
    })
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)))
      await this.#options.whenClosed?.()
    })
  }

  #add({ plan, world, snapshot, kept }: FirstWorld): Ports {
    const createdAt = kept?.createdAt ?? this.#real.now()
    const expiresAt = plan.expiresIn === undefined ? Infinity : createdAt + plan.expiresIn * 1000
    const description = { ...plan, ...(snapshot && { seed: snapshot.seed }), ...kept, createdAt }
    const entry: Entry = { ...world, description, start: { plan, snapshot }, expiresAt, expiry: undefined }
    this.#entries.set(plan.name, entry)
    this.#armExpiry(entry)
    for (const listener of this.#listeners) listener(world.ports)
    return world.ports
  }

  /** Frees what an abandoned world holds; that it is gone is seen without a timer. */
  #armExpiry(entry: Entry): void {
    if (entry.expiresAt === Infinity) return
    const left = Math.max(0, entry.expiresAt - this.#real.now())
    const look = () => {
      if (this.#findLive(entry.description.name) === entry) return this.#armExpiry(entry)
      // What cannot be discarded now is when the engine is back: an expired world is not found meanwhile.
      this.#remove(entry).catch(() => {})
    }
    entry.expiry = setTimeout(look, Math.min(left, LONGEST_TIMER)).unref()
  }

  #findLive(name: string): Entry | undefined {
    const entry = this.#entries.get(name)
    return entry && (entry.expiresAt === Infinity || this.#real.now() < entry.expiresAt) ? entry : undefined
  }

  /** What cannot be discarded stays. */
  async #remove(entry: Entry): Promise<void> {
    await entry.discard()
    this.#forget(entry)
  }

  async #close(entry: Entry): Promise<void> {
    this.#forget(entry)
    await entry.close()
  }

  #forget(entry: Entry): void {
    if (this.#entries.get(entry.description.name) === entry) this.#entries.delete(entry.description.name)
    clearTimeout(entry.expiry)
  }

  /** The world under a name anew; requests that have the old one finish in it, its streams end. */
  async #replace(entry: Entry, seed: string | undefined, snapshot: Snapshot | undefined): Promise<Ports> {
    const { plan } = entry.start
    const origin = { plan, createdAt: entry.description.createdAt }
    const world = await this.#open({ ...plan, seed }, snapshot, origin)
    if (!world) throw new Error(`the world ${plan.name} cannot be made anew`)
    const old = entry.discard
    Object.assign(entry, { ...world, description: { ...entry.description, seed } })
    for (const listener of this.#listeners) listener(world.ports)
    // It is replaced, whatever becomes of what it kept: who keeps the worlds sweeps that when it starts.
    await old().catch(() => {})
    return world.ports
  }

  /** Another instance has put a world in its place, maybe of another plan, and discards the old one. */
  async #swap(entry: Entry, fresh: FirstWorld): Promise<void> {
    this.#add({ ...fresh, snapshot: entry.start.snapshot })
    await this.#close(entry)
  }

  /** The caller holds the world's ports, so it is there, unless it was deleted in between. */
  #require(name: string): Entry {
    const entry = this.#entries.get(name)
    if (!entry) throw new Error(`the world ${name} is gone`)
    return entry
  }

  /** Others are told once it is done, and out of turn: they may be waiting for this instance just as well. */
  async #change<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#inTurn(work)
    await this.#options.whenChanged?.().catch(() => {})
    return done
  }
}
