import { ControlError } from '../client/errors.ts'
import type { ChaosInput, JournalEntry, JournalMatch } from '../client/types.ts'
import type { VendorCloudWorld } from '../client/world.ts'
import { type Load, OwnTime } from './own-time.ts'

/** The way in which the client ended: it exited with a code, was killed by a signal, or could not be started. */
export interface Ending {
  code: number | undefined
  /** Undefined if the examination sent the signal itself. */
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
  /** Timeout in milliseconds. Time in which the client waits for a processor does not count. */
  patience: number
  /** Returns real time in milliseconds since an arbitrary starting point. */
  timer: () => number
}

/** User agent of the requests that a scenario sends itself. They are not attributed to the client. */
export const SCRIPT = 'vendor-cloud-examine'

/** Maximum duration of one poll in milliseconds. It is short, so that the exit of the client is noticed soon. */
const LOOK = 200

/** Length of one timer in milliseconds. It limits how much of a pause passes while the machine is suspended. */
const STEP = 20

export class Session {
  readonly world: VendorCloudWorld
  readonly seed: string
  readonly marks = new Map<string, number>()
  readonly counts = new Map<string, number>()
  /** Condition that was not met in time. If set, checks of later parts of the scenario are meaningless. */
  missed: string | undefined
  /** Condition that was not met because a running client sent no request at all. */
  silence: string | undefined
  /** Condition that was not met because the client had exited. */
  unmet: string | undefined
  /** Last entries that were read. They are used if the world and its journal no longer exist. */
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

  /** Stores the current end of the journal under a name, so that checks can select earlier or later entries. */
  async mark(name: string): Promise<void> {
    this.marks.set(name, await this.#newest({}))
  }

  /** With Infinity, waits without a limit. */
  async begin(patience = this.#patience): Promise<boolean> {
    const start = this.marks.get('start') ?? 0
    // A request counts when it arrives, because its response may be delayed.
    const hasBegun = await this.#poll(async () => {
      if ((await this.#newest({ kind: 'request' })) > start) return true
      return this.#stand(LOOK / 2)
    }, patience)
    if (!hasBegun) this.missed ??= 'its first request'
    return hasBegun ?? false
  }

  async until(match: JournalMatch, awaited: Awaited = {}): Promise<boolean> {
    const last = await this.#newest({ kind: 'request' })
    if (await this.may(match, awaited)) return true
    if (this.ending) this.unmet ??= describe(match)
    else if ((await this.#newest({ kind: 'request' })) === last) this.silence ??= describe(match)
    return false
  }

  /** Like `until`, but for a request that is optional for the client. */
  async may(match: JournalMatch, { count = 1, after }: Awaited = {}): Promise<boolean> {
    const from = after === undefined ? 0 : (this.marks.get(after) ?? 0)
    return (await this.#poll(this.#looks(match, from, count))) ?? false
  }

  async came(operation: number): Promise<JournalEntry | undefined> {
    const entry = await this.#poll(async () => (await this.world.journal({ operation, limit: 1 }))[0])
    if (!entry) this.missed ??= describe({ operation })
    return entry
  }

  /** Each poll waits for an entry that no earlier poll has returned. */
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

  /** Polls once more after the client has exited or did not do what the scenario expected. */
  async #poll<T>(look: () => Promise<T | undefined>, patience = this.#patience): Promise<T | undefined> {
    for (let spent = 0; ; ) {
      const isLast = this.#isOver || spent >= patience
      const begun = this.#timer()
      const found = await look()
      if (found !== undefined || isLast) return found
      await this.#stand(STEP)
      // Time in which the machine was suspended does not count.
      spent += this.#time.lap(Math.min(this.#timer() - begun, LOOK + STEP))
    }
  }

  /** If the request does not arrive in time, the client is assumed to hang. */
  async need(match: JournalMatch): Promise<boolean> {
    const came = await this.until(match)
    if (!came) this.missed ??= describe(match)
    return came
  }

  async stream(): Promise<{ subscriptionId: string } | undefined> {
    const opening = this.#looks({ operation: 'stream' }, 0, 1)
    const stream = await this.#poll(async () => {
      await opening()
      return (await this.world.streams.list()).items[0]
    })
    if (!stream) this.missed ??= 'the opening of an event stream'
    return stream
  }

  async injectFault(subscriptionId: string, chaos: ChaosInput): Promise<void> {
    await this.world.streams.injectFault(subscriptionId, chaos).catch((error: unknown) => {
      if (!(error instanceof ControlError) || error.status !== 404) throw error
    })
  }

  /** Ends early if later requests cannot change the result. Time waiting for a processor does not count. */
  async pause(ms: number): Promise<void> {
    for (let left = ms; left > 0 && !this.#isOver; ) {
      const part = Math.min(left, LOOK / 2)
      await this.#stand(part)
      left -= this.#time.lap(part)
    }
  }

  /** Waits until the client has read all data, because a reset would discard data that is still in the streams. */
  async settle(): Promise<void> {
    await this.#poll(async () => {
      const { items } = await this.world.streams.list()
      return (items.every(({ bytesWaiting }) => bytesWaiting === 0) && this.#time.isIdle()) || undefined
    })
  }

  /** Waits for real time in milliseconds, not counting time in which the machine was suspended. */
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

  get #isOver(): boolean {
    return this.ending !== undefined || this.missed !== undefined || this.silence !== undefined
  }

  end(ending: Ending): void {
    this.ending = ending
    this.#wake()
  }

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
  return status === undefined ? what : `${what} with status ${status}`
}
