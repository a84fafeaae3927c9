import { type Clock, DEFAULT_WORLD, type Ports, type WorldDescription, type WorldPlan, type Worlds } from './ports.ts'
import type { Snapshot } from './schemas/snapshot.ts'

/** A world as it runs, with the means to end it. */
export interface OpenWorld {
  ports: Ports
  close(): Promise<void>
  /** Ends it for good: what it kept beyond the process goes too. */
  discard(): Promise<void>
}

/**
 * Makes a world from its plan: with the fixtures, or as a snapshot says. With an `origin` in the place of the one that
 * began there; without it, nothing comes of it when another instance has one of this name.
 */
export type WorldOpener = (plan: WorldPlan, snapshot?: Snapshot, origin?: Origin) => Opened | Promise<Opened>
type Opened = OpenWorld | undefined

export interface Origin {
  plan: WorldPlan
  /** Milliseconds since the epoch, in real time. */
  createdAt: number
}

/** A world to begin with: a new one, or one that was kept. */
export interface FirstWorld {
  plan: WorldPlan
  world: OpenWorld
  /** What a reset opens it from; fixtures without one. */
  snapshot?: Snapshot | undefined
  /** Of a kept one: when it was made, and what its ids are a function of now. */
  kept?: { createdAt: number; seed: string | undefined }
}

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
  const entries = new Map<string, Entry>()
  const listeners: ((ports: Ports) => void)[] = []
  const inTurn = createTurns()
  for (const { world, kept, ...start } of [first, ...others]) add(start, world, kept)

  function add(start: Entry['start'], world: OpenWorld, kept?: FirstWorld['kept']): Ports {
    const { plan, snapshot } = start
    const createdAt = kept?.createdAt ?? real.now()
    const expiresAt = plan.expiresIn === undefined ? Infinity : createdAt + plan.expiresIn * 1000
    const description = { ...plan, ...(snapshot && { seed: snapshot.seed }), ...kept, createdAt }
    const entry: Entry = { ...world, description, start, expiresAt, expiry: undefined }
    entries.set(plan.name, entry)
    armExpiry(entry)
    for (const listener of listeners) listener(world.ports)
    return world.ports
  }

  /** Frees what an abandoned world holds; that it is gone is seen without a timer. */
  function armExpiry(entry: Entry): void {
    if (entry.expiresAt === Infinity) return
    const left = Math.max(0, entry.expiresAt - real.now())
    entry.expiry = setTimeout(
      // What cannot be discarded now is when the engine is back: an expired world is not listed at a start.
      () => (findLive(entry.description.name) === entry ? armExpiry(entry) : void remove(entry).catch(() => {})),
      Math.min(left, LONGEST_TIMER),
    )
    entry.expiry.unref()
  }

  function findLive(name: string): Entry | undefined {
    const entry = entries.get(name)
    return entry && (entry.expiresAt === Infinity || real.now() < entry.expiresAt) ? entry : undefined
  }

  async function remove(entry: Entry): Promise<void> {
    if (entries.get(entry.description.name) === entry) entries.delete(entry.description.name)
    clearTimeout(entry.expiry)
    await entry.discard()
  }

  async function close(entry: Entry): Promise<void> {
    entries.delete(entry.description.name)
    clearTimeout(entry.expiry)
    await entry.close()
  }

  /** The world under a name anew; requests that have the old one finish in it, its streams end. */
  async function replace(entry: Entry, seed: string | undefined, snapshot: Snapshot | undefined): Promise<Ports> {
    const { plan } = entry.start
    const world = await open({ ...plan, seed }, snapshot, { plan, createdAt: entry.description.createdAt })
    if (!world) throw new Error(`the world ${plan.name} cannot be made anew`)
    const old = entry.discard
    Object.assign(entry, { ...world, description: { ...entry.description, seed } })
    for (const listener of listeners) listener(world.ports)
    await old()
    return world.ports
  }

  return {
    find: (name) => findLive(name)?.ports,
    list: () => [...entries.keys()].flatMap((name) => findLive(name)?.description ?? []),
    create: (plan) =>
      inTurn(async () => {
        if (findLive(plan.name)) return undefined
        const expired = entries.get(plan.name)
        if (expired) await remove(expired)
        const world = await open(plan)
        return world && add({ plan }, world)
      }),
    delete: (name) =>
      inTurn(async () => {
        const entry = name === DEFAULT_WORLD ? undefined : findLive(name)
        if (entry) await remove(entry)
        return entry !== undefined
      }),
    reset: (name) =>
      inTurn(async () => {
        const entry = requireEntry(entries, name)
        const { plan, snapshot } = entry.start
        return replace(entry, snapshot ? snapshot.seed : plan.seed, snapshot)
      }),
    restore: (name, snapshot) => inTurn(() => replace(requireEntry(entries, name), snapshot.seed, snapshot)),
    onOpen(listener) {
      listeners.push(listener)
      for (const { ports } of entries.values()) listener(ports)
    },
    close: () =>
      inTurn(async () => {
        await Promise.all([...entries.values()].map(close))
        await whenClosed?.()
      }),
  }
}

/** The caller holds the world's ports, so it is there, unless it was deleted in between. */
function requireEntry(entries: ReadonlyMap<string, Entry>, name: string): Entry {
  const entry = entries.get(name)
  if (!entry) throw new Error(`the world ${name} is gone`)
  return entry
}

/** One change of the worlds at a time: a name is given once, and a world is ended once. */
function createTurns() {
  let lastTurn: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = lastTurn.then(work)
    lastTurn = turn.catch(() => {})
    return turn
  }
}
