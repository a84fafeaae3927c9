import { toAlphanumeric } from '../domain/ids.ts'
import type { Clock, Ports, Random } from '../ports.ts'
import type {
  CaseFrame,
  CaseReply,
  CaseStep,
  RecordedCall,
  RecordedExchange,
  Recorder,
} from '../schemas/control/case.ts'
import { renumber } from './case-file.ts'

/** A case's bytes, about: then it ends by itself. */
const LARGEST = 32 * 1024 * 1024
/** What a line holds beside texts, in bytes. */
const LINE = 300
/** Milliseconds: one that is answered later, or never, holds up nobody for longer. */
const LONGEST_TURN = 1000

/** Kinds of chance that secrets are made of, by two bytes a character: they are no function of the case's seed. */
const secretKinds: ReadonlySet<string> = new Set(['accessToken', 'serviceToken', 'ctiToken', 'cancelKey'])

type Line = RecordedCall | Exclude<CaseStep, { reply: CaseReply }>

/**
 * Records a world. Calls have their turns one after the other, each at one instant, so that they can be made again in
 * the same order with the same replies; ids are drawn by the seed.
 */
export class CaseRecorder implements Recorder {
  /** What the world's seeded source drew for secrets. */
  readonly issued = new Set<string>()
  /** Why it has ended by itself. */
  ended: string | undefined
  readonly #ports: Ports
  readonly #largest: number
  readonly #clock: Clock
  readonly #random: Random
  readonly #lines: Line[] = []
  readonly #waiting: (() => void)[] = []
  #holder: object | undefined
  readonly #timer = setTimeout(() => this.#holder && this.#release(this.#holder), LONGEST_TURN).unref()
  #instant: number | undefined
  #bytes = 0
  #mails = 0

  constructor(ports: Ports, seed: string, largest = LARGEST) {
    this.#ports = ports
    this.#largest = largest
    this.#clock = ports.clock
    this.#random = ports.random
    const seeded = ports.seededRandom(seed)
    ports.recorder = this
    ports.clock = { now: () => this.#instant ?? this.#clock.now() }
    ports.random = {
      bytes: async (kind, length) => {
        if (!secretKinds.has(kind)) return seeded.bytes(kind, length)
        const drawn = await this.#random.bytes(kind, length)
        this.issued.add(toAlphanumeric(drawn, length / 2))
        return drawn
      },
    }
  }

  /** Does `work` while no call has its turn. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = {}
    await this.#take(turn)
    try {
      return await work()
    } finally {
      this.#release(turn)
    }
  }

  /** Mails that are there already are not recorded. */
  async countMails(): Promise<void> {
    this.#mails = await this.#ports.store.outbox.count()
  }

  /** The steps so far. */
  steps(): CaseStep[] {
    const steps = this.#lines.flatMap((line): CaseStep[] => {
      if (!('recorder' in line)) return [line]
      // On its way, or left by its client before it was read.
      const { at, isControl, exchange } = line
      if (!exchange) return []
      const { call, reply } = exchange.read()
      const about = { step: 1, at: new Date(at!).toISOString() }
      return isControl ? [{ ...about, control: call, reply }] : [{ ...about, call, reply }]
    })
    return renumber(steps)
  }

  /** The world goes on as it was before. */
  stop(reason?: string): void {
    if (this.#ports.recorder !== this) return
    this.ended = reason
    this.#ports.recorder = undefined
    this.#ports.clock = this.#clock
    this.#ports.random = this.#random
    clearTimeout(this.#timer)
    for (const next of this.#waiting.splice(0)) next()
  }

  takeTurn(call: RecordedCall): Promise<void> | undefined {
    if (call.at !== undefined) return undefined
    const wait = this.#take(call)
    // One that was answered meanwhile needs its turn no more.
    if (wait) return wait.then(() => (call.at === undefined ? this.#begin(call) : this.#release(call)))
    this.#begin(call)
    return undefined
  }

  finish(call: RecordedCall, exchange: RecordedExchange): void {
    if (call.at === undefined) this.#begin(call)
    call.exchange = exchange
    this.#weigh(exchange.bytes + 2 * LINE)
    if (exchange.isStream) return
    if (!call.changes) this.#release(call)
    else void this.#findMails().finally(() => this.#release(call))
  }

  release(call: RecordedCall): void {
    this.#release(call)
  }

  frame(frame: CaseFrame): void {
    this.#add({ frame }, LINE + JSON.stringify(frame.data).length)
  }

  closed(subscriptionId: string): void {
    this.#add({ closed: { subscriptionId } }, LINE)
  }

  get #isOn(): boolean {
    return this.#ports.recorder === this
  }

  #begin(call: RecordedCall): void {
    call.at = this.#clock.now()
    if (this.#isOn) this.#lines.push(call)
    if (!call.movesClock && this.#holder === call) this.#instant = call.at
  }

  #add(
    what: { frame: CaseFrame } | { closed: { subscriptionId: string } } | { mail: Record<string, unknown> },
    weight: number,
  ): void {
    if (!this.#isOn) return
    const at = new Date(this.#ports.clock.now()).toISOString()
    this.#lines.push({ step: 0, at, ...what })
    this.#weigh(weight)
  }

  #weigh(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#largest) this.stop(`it has reached ${this.#largest} bytes`)
  }

  /** Mails that the call has sent. */
  async #findMails(): Promise<void> {
    const { outbox } = this.#ports.store
    const count = await outbox.count()
    const fresh = count - this.#mails
    this.#mails = count
    if (fresh <= 0 || !this.#isOn) return
    const mails = await outbox.find({ orderBy: { field: 'sentAt', direction: 'desc' }, limit: fresh })
    for (const mail of mails.toReversed()) this.#add({ mail: { ...mail } }, LINE + JSON.stringify(mail).length)
  }

  #take(turn: object): Promise<void> | undefined {
    if (!this.#isOn) return undefined
    if (!this.#holder) {
      this.#hold(turn)
      return undefined
    }
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        if (this.#isOn) this.#hold(turn)
        resolve()
      })
    })
  }

  #hold(turn: object): void {
    this.#holder = turn
    this.#timer.refresh()
  }

  #release(turn: object): void {
    if (this.#holder !== turn) return
    this.#holder = undefined
    this.#instant = undefined
    this.#waiting.shift()?.()
  }
}
