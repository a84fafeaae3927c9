import { type Clock, DEFAULT_WORLD, type Ports, type WorldDescription, type WorldPlan, type Worlds } from './ports.ts'
import type { Snapshot } from './schemas/snapshot.ts'
import type { FirstWorld, KeptWorld, OpenWorld, WorldOpener } from './worlds/open-world.ts'

interface Entry extends OpenWorld {
  description: WorldDescription
  /** What a reset opens it from. */
  start: { plan: WorldPlan; snapshot?: Snapshot | undefined }
  /** Milliseconds since the epoch, in real time. */
  expiresAt: number
  expiry: NodeJS.Timeout | undefined
}

export interface WorldsOptions {
  /** What there is besides the first. */
  others?: readonly FirstWorld[]
  /** Lets go of what keeps the worlds. */
  whenClosed?: () => Promise<void>
}

export interface WorldRegistry extends Worlds {
  /** Does here what other instances have done: `kept` are the worlds there are now, `reopen` opens one of them. */
  follow<K extends KeptWorld>(kept: readonly K[], reopen: (kept: K) => Promise<FirstWorld>): Promise<void>
  /** Ends every world. */
  close(): Promise<void>
}

/** Real timers count at most so far. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Keeps the worlds by name; `real` is real time, which expiry follows. */
export function createWorlds(
  first: FirstWorld,
  open: WorldOpener,
  real: Clock,
  { others = [], whenClosed }: WorldsOptions = {},
): WorldRegistry {
  return new OpenWorlds([first, ...others], open, real, whenClosed)
}

class OpenWorlds implements WorldRegistry {
  readonly #entries = new Map<string, Entry>()
  readonly #listeners: ((ports: Ports) => void)[] = []
  readonly #open: WorldOpener
  readonly #real: Clock
  readonly #whenClosed: (() => Promise<void>) | undefined
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(first: readonly FirstWorld[], open: WorldOpener, real: Clock, whenClosed?: () => Promise<void>) {
    this.#open = open
    this.#real = real
    this.#whenClosed = whenClosed
    for (const world of first) this.#add(world)
  }

  find(name: string): Ports | undefined {
    return this.#findLive(name)?.ports
  }

  list(): WorldDescription[] {
    return [...this.#entries.keys()].flatMap((name) => this.#findLive(name)?.description ?? [])
  }

  create(plan: WorldPlan): Promise<Ports | undefined> {
    return this.#inTurn(async () => {
      if (this.#findLive(plan.name)) return undefined
      const expired = this.#entries.get(plan.name)
      if (expired) await this.#remove(expired)
      const world = await this.#open(plan)
      return world && this.#add({ plan, world })
    })
  }

  delete(name: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const entry = name === DEFAULT_WORLD ? undefined : this.#findLive(name)
      if (entry) await this.#remove(entry)
      return entry !== undefined
    })
  }

  reset(name: string): Promise<Ports> {
    return this.#inTurn(async () => {
      const entry = this.#require(name)
      const { plan, snapshot } = entry.start
      return this.#replace(entry, snapshot ? snapshot.seed : plan.seed, snapshot)
    })
  }

  restore(name: string, snapshot: Snapshot): Promise<Ports> {
    return this.#inTurn(() => this.#replace(this.#require(name), snapshot.seed, snapshot))
  }

  onOpen(listener: (ports: Ports) => void): void {
    this.#listeners.push(listener)
    for (const { ports } of this.#entries.values()) listener(ports)
  }

  follow<K extends KeptWorld>(kept: readonly K[], reopen: (kept: K) => Promise<FirstWorld>): Promise<void> {
    return this.#inTurn(async () => {
      const names = new Set(kept.map(({ plan }) => plan.name))
      for (const entry of this.#entries.values()) {
        if (!names.has(entry.description.name)) await this.#close(entry)
      }
      for (const each of kept) {
        const entry = this.#entries.get(each.plan.name)
        if (!entry) this.#add(await reopen(each))
        else if (entry.id === each.id) entry.moveClock?.(each.clock)
        else await this.#swap(entry, await reopen(each))
      }
    })
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)))
      await this.#whenClosed?.()
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

  async #remove(entry: Entry): Promise<void> {
    this.#forget(entry)
    await entry.discard()
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
    await old()
    return world.ports
  }

  /** Another instance has put a world in its place, and discards the old one. */
  async #swap(entry: Entry, { world, kept }: FirstWorld): Promise<void> {
    const old = entry.close
    Object.assign(entry, { ...world, description: { ...entry.description, ...kept } })
    for (const listener of this.#listeners) listener(world.ports)
    await old()
  }

  /** The caller holds the world's ports, so it is there, unless it was deleted in between. */
  #require(name: string): Entry {
    const entry = this.#entries.get(name)
    if (!entry) throw new Error(`the world ${name} is gone`)
    return entry
  }

  /** One change of the worlds at a time: a name is given once, and a world is ended once. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work)
    this.#lastTurn = turn.catch(() => {})
    return turn
  }
}
