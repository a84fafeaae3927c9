import { ControlError } from '../client/errors.ts'
import type { ChaosInput, JournalEntry, JournalMatch } from '../client/types.ts'
import type { VendorCloudWorld } from '../client/world.ts'
import { type Load, OwnTime } from './own-time.ts'

/** A client may exit with a code, die by a signal, or never start. */
export interface Ending {
  code: number | undefined
  /** Absent where the examination itself sent the signal. */
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
  /** Milliseconds of the client's own time. */
  patience: number
  /** Real time in milliseconds, which may begin anywhere. */
  timer: () => number
}

/** The user agent of the scenario's own requests, which are not evaluated as the client's. */
export const SCRIPT = 'vendor-cloud-examine'

/** Each look lets the world wait no longer, so that the client's end is seen soon. */
const LOOK = 200

/** Milliseconds of a pause that a suspended machine may use up. */
const STEP = 20

export class Session {
  readonly world: VendorCloudWorld
  readonly seed: string
  readonly marks = new Map<string, number>()
  readonly counts = new Map<string, number>()
  /** A scenario whose condition never came is without meaning. */
  missed: string | undefined
  /** Nothing at all came from a client that still ran. */
  silence: string | undefined
  /** When the world is gone, these entries are all that is left of its journal. */
  latest: readonly JournalEntry[] = []
  ending: Ending | undefined
  readonly #patience: number
  readonly #timer: () => number
  #time = new OwnTime(() => undefined)
  #wake = () => {}

  constructor({ world, seed, patience, timer }: SessionOptions) {
    this.world = world
    this.seed = seed
    this.#patience = patience
    this.#timer = timer
  }

  watch(load: () => Load | undefined): void {
    this.#time = new OwnTime(load)
  }

  /** A mark separates earlier events from later ones. */
  async mark(name: string): Promise<void> {
    this.marks.set(name, await this.#newest({}))
  }

  /** Infinity waits for ever. */
  async begin(patience = this.#patience): Promise<boolean> {
    const start = this.marks.get('start') ?? 0
    // A request counts when it arrives, since its reply may be held up.
    const hasBegun = await this.#poll(async () => {
      if ((await this.#newest({ kind: 'request' })) > start) return true
      return this.#stand(LOOK / 2)
    }, patience)
    if (!hasBegun) this.missed ??= 'its first request'
    return hasBegun ?? false
  }

  /** Gives false when the client does nothing of the kind. */
  async until(match: JournalMatch, awaited: Awaited = {}): Promise<boolean> {
    const last = await this.#newest({ kind: 'request' })
    if (await this.may(match, awaited)) return true
    if (!this.ending && (await this.#newest({ kind: 'request' })) === last) this.silence ??= describe(match)
    return false
  }

  /** The request is optional for the client, so its absence is not silence. */
  async may(match: JournalMatch, { count = 1, after }: Awaited = {}): Promise<boolean> {
    const from = after === undefined ? 0 : (this.marks.get(after) ?? 0)
    return (await this.#poll(this.#looks(match, from, count))) ?? false
  }

  /** The request counts when it arrives, since its reply may be held up. */
  async came(operation: number): Promise<JournalEntry | undefined> {
    const entry = await this.#poll(async () => (await this.world.journal({ operation, limit: 1 }))[0])
    if (!entry) this.missed ??= describe({ operation })
    return entry
  }

  /** Each look waits a while for an entry that no look has seen. */
  #looks(match: JournalMatch, from: number, count: number): () => Promise<true | undefined> {
    let known = 0
    return async () => {
      const awaited = { atLeast: known + 1, withinMs: this.#isOver ? 0 : LOOK }
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

  /** A client that has ended, or missed a step of the scenario, is polled once more. */
  async #poll<T>(look: () => Promise<T | undefined>, patience = this.#patience): Promise<T | undefined> {
    for (let spent = 0; ; ) {
      const isLast = this.#isOver || spent >= patience
      const begun = this.#timer()
      const found = await look()
      if (found !== undefined || isLast) return found
      await this.#stand(STEP)
      // Time in which the machine was suspended is given back to the client.
      spent += this.#time.lap(Math.min(this.#timer() - begun, LOOK + STEP))
    }
  }

  /** A client that never does this hangs, and the scenario has no meaning. */
  async need(match: JournalMatch): Promise<boolean> {
    const came = await this.until(match)
    if (!came) this.missed ??= describe(match)
    return came
  }

  /** Gives nothing when no stream opens. */
  async stream(): Promise<{ subscriptionId: string } | undefined> {
    const opening = this.#looks({ operation: 'stream' }, 0, 1)
    const stream = await this.#poll(async () => {
      await opening()
      return (await this.world.streams.list()).items[0]
    })
    if (!stream) this.missed ??= 'the opening of an event stream'
    return stream
  }

  /** A stream that the client has left by now cannot be disturbed. */
  async injectFault(subscriptionId: string, chaos: ChaosInput): Promise<void> {
    await this.world.streams.injectFault(subscriptionId, chaos).catch((error: unknown) => {
      if (!(error instanceof ControlError) || error.status !== 404) throw error
    })
  }

  /** Counts the client's own time, and ends early when the outcome is certain. */
  async pause(ms: number): Promise<void> {
    for (let left = ms; left > 0 && !this.#isOver; ) {
      const part = Math.min(left, LOOK / 2)
      await this.#stand(part)
      left -= this.#time.lap(part)
    }
  }

  /** A reset would destroy what streams still hold, so the client must have read it all. */
  async settle(): Promise<void> {
    await this.#poll(async () => {
      const { items } = await this.world.streams.list()
      return (items.every(({ bytesWaiting }) => bytesWaiting === 0) && this.#time.isIdle()) || undefined
    })
  }

  /** Real time in milliseconds without the time in which the machine was suspended. */
  async #stand(ms: number): Promise<undefined> {
    for (let left = ms; left > 0 && !this.ending; left -= STEP) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, STEP))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }

  /** Later requests cannot change the error of the client. */
  get #isOver(): boolean {
    return this.ending !== undefined || this.missed !== undefined || this.silence !== undefined
  }

  end(ending: Ending): void {
    this.ending = ending
    this.#wake()
  }

  /** The oldest entry comes first. */
  async read(): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = []
    for (;;) {
      const before = entries.at(-1)?.id
      const page = await this.world.journal({ limit: 100, ...(before !== undefined && { before }) })
      entries.push(...page)
      if (page.length < 100) return entries.toReversed().filter(isOfClient)
    }
  }
}

const isOfClient = ({ request }: JournalEntry) => request?.headers['user-agent'] !== SCRIPT

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
