import { ControlError } from '../control-client/errors.ts'
import type { ChaosInput, JournalEntry, JournalMatch } from '../control-client/types.ts'
import type { VendorCloudWorld } from '../control-client/world.ts'
import { type Load, OwnTime } from './own-time.ts'

/** How a client ended: by itself, with a code, or not. */
export interface Ending {
  code: number | undefined
  /** Of the signal that ended it, when nobody here sent it. */
  signal?: string | undefined
  failure?: string
}

export interface Awaited {
  count?: number
  after?: string
}

export interface SessionOptions {
  world: VendorCloudWorld
  seed: string
  /** Milliseconds of the client's own time that a script waits for an act of it. */
  patience: number
}

/** The user agent of what a script asks itself, which is none of the client's doing. */
export const SCRIPT = 'vendor-cloud-examine'

/** Milliseconds that the world is let wait at a time, so that the end of the client is seen soon. */
const LOOK = 200

/** Milliseconds: a machine that stands still takes no more of a pause than this, and the client has the rest of it. */
const STEP = 20

export class Session {
  readonly world: VendorCloudWorld
  readonly seed: string
  readonly marks = new Map<string, number>()
  readonly counts = new Map<string, number>()
  /** A condition that the scenario is nothing without, and that never came. */
  missed: string | undefined
  /** The condition that the script waited for while nothing at all came from a client that still ran. */
  silence: string | undefined
  /** The entries of the last look that found some: all that is left of a journal whose world is gone. */
  latest: readonly JournalEntry[] = []
  readonly #patience: number
  #time = new OwnTime(() => undefined)
  #ending: Ending | undefined
  #wake = () => {}

  constructor({ world, seed, patience }: SessionOptions) {
    this.world = world
    this.seed = seed
    this.#patience = patience
  }

  watch(load: () => Load | undefined): void {
    this.#time = new OwnTime(load)
  }

  /** Events of the past are told apart from those to come. */
  async mark(name: string): Promise<void> {
    this.marks.set(name, await this.#newest({}))
  }

  /** Waits for the first request, as long as `patience` milliseconds; Infinity is for ever. */
  async begin(patience = this.#patience): Promise<boolean> {
    const start = this.marks.get('start') ?? 0
    // A request counts when it came: its reply may wait.
    const hasBegun = await this.#poll(async () => {
      if ((await this.#newest({ kind: 'request' })) > start) return true
      return this.#stand(LOOK / 2)
    }, patience)
    if (!hasBegun) this.missed ??= 'its first request'
    return hasBegun ?? false
  }

  /** Waits until `count` entries fit that came behind a mark; false when the client does nothing of the kind. */
  async until(match: JournalMatch, awaited: Awaited = {}): Promise<boolean> {
    const last = await this.#newest({ kind: 'request' })
    if (await this.may(match, awaited)) return true
    if (!this.#ending && (await this.#newest({ kind: 'request' })) === last) this.silence ??= describe(match)
    return false
  }

  /** The same of what a client may leave: it is no silence. */
  async may(match: JournalMatch, { count = 1, after }: Awaited = {}): Promise<boolean> {
    const from = after === undefined ? 0 : (this.marks.get(after) ?? 0)
    return (await this.#poll(this.#looks(match, from, count))) ?? false
  }

  /** The newest request of an operation, as soon as it has come: its reply may wait. */
  async came(operation: number): Promise<JournalEntry | undefined> {
    return this.#poll(async () => (await this.world.journal({ operation, limit: 1 }))[0])
  }

  /** Whether `count` entries behind one fit; each look waits a while for one that no look has seen. */
  #looks(match: JournalMatch, from: number, count: number): () => Promise<true | undefined> {
    let known = 0
    return async () => {
      const awaited = { atLeast: known + 1, withinMs: this.#ending ? 0 : LOOK }
      const found = await this.world.verify(match, awaited)
      known = found.count
      this.#keep(found.entries)
      return found.entries.filter(({ id }) => id > from).length >= count || undefined
    }
  }

  async #newest(filter: { kind?: 'request' }): Promise<number> {
    const [newest] = await this.world.journal({ ...filter, limit: 1 })
    if (newest) this.#keep([newest])
    return newest?.id ?? 0
  }

  #keep(found: readonly JournalEntry[]): void {
    const own = found.filter(isOfClient)
    if (own.length > 0) this.latest = own
  }

  /** Looks until there is something; the last look is behind the client's end. */
  async #poll<T>(look: () => Promise<T | undefined>, patience = this.#patience): Promise<T | undefined> {
    for (let spent = 0; ; ) {
      const isLast = this.#ending !== undefined || spent >= patience
      const begun = performance.now()
      const found = await look()
      if (found !== undefined || isLast) return found
      await this.#stand(STEP)
      // Time that a machine standing still takes of it is the client's again.
      spent += this.#time.lap(Math.min(performance.now() - begun, LOOK + STEP))
    }
  }

  /** Waits for what the scenario is nothing without: in vain, the client hangs. */
  async need(match: JournalMatch): Promise<boolean> {
    const came = await this.until(match)
    if (!came) this.missed ??= describe(match)
    return came
  }

  /** The one stream that is open; nothing when none opens. */
  async stream(): Promise<{ subscriptionId: string } | undefined> {
    const opening = this.#looks({ operation: 'stream' }, 0, 1)
    const stream = await this.#poll(async () => {
      await opening()
      return (await this.world.streams.list()).items[0]
    })
    if (!stream) this.missed ??= 'an event stream to open'
    return stream
  }

  /** A stream that the client has left by now cannot be disturbed. */
  async disturb(subscriptionId: string, chaos: ChaosInput): Promise<void> {
    await this.world.streams.disturb(subscriptionId, chaos).catch((error: unknown) => {
      if (!(error instanceof ControlError) || error.status !== 404) throw error
    })
  }

  /** Milliseconds of the client's own time; shorter when it has ended. */
  async pause(ms: number): Promise<void> {
    for (let left = ms; left > 0 && !this.#ending; ) {
      const part = Math.min(left, LOOK / 2)
      await this.#stand(part)
      left -= this.#time.lap(part)
    }
  }

  /** Until the client has all that its streams hold, and has done with it: a reset would take along the rest. */
  async settle(): Promise<void> {
    await this.#poll(async () => {
      const { items } = await this.world.streams.list()
      return (items.every(({ bytesWaiting }) => bytesWaiting === 0) && this.#time.isIdle()) || undefined
    })
  }

  /** Real time, in milliseconds, of a machine that stood still little of it. */
  async #stand(ms: number): Promise<undefined> {
    for (let left = ms; left > 0 && !this.#ending; left -= STEP) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, STEP))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  get ending(): Ending | undefined {
    return this.#ending
  }

  end(ending: Ending): void {
    this.#ending = ending
    this.#wake()
  }

  /** All that the client did and got, the oldest first. */
  async read(): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = []
    for (;;) {
      const before = entries.at(-1)?.id
      const page = await this.world.journal({ limit: 100, ...(before !== undefined && { before }) })
      entries.push(...page)
      if (page.length < 100) {
        return entries.toReversed().filter(isOfClient)
      }
    }
  }
}

function isOfClient({ request }: JournalEntry): boolean {
  return request?.headers['user-agent'] !== SCRIPT
}

/** The script of most scenarios: what they are nothing without, then what comes of it so often, then milliseconds. */
export function expecting(
  needed: JournalMatch,
  { next, count = 1, pause = 0 }: { next?: JournalMatch; count?: number; pause?: number },
) {
  return async (session: Session): Promise<void> => {
    await session.need(needed)
    if (next) await session.until(next, { count })
    if (pause > 0) await session.pause(pause)
  }
}

function describe({ operation, method, path, status }: JournalMatch): string {
  const what =
    operation === undefined ? [method, path].filter(Boolean).join(' ') || 'a request' : `operation ${operation}`
  return status === undefined ? what : `${what} answered ${status}`
}
