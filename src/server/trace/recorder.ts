import { toAlphanumeric } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import type { Random } from '../ports/chance.ts'
import type { Clock } from '../ports/clock.ts'
import type { RecordedCall, RecordedExchange, Recorder } from '../ports/recorder.ts'
import type { CaseFrame, CaseReply, CaseStep } from '../../contract/records/control/case.ts'
import type { Readings } from './secrets.ts'

/** Bytes of a case's steps: then it ends by itself. */
const LARGEST = 32 * 1024 * 1024
/** What a line holds beside what is counted, in bytes. */
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
  /** The world with what it drew ids and instants from before; none of it is held when the recording has ended. */
  #world: { ports: Ports; clock: Clock; random: Random } | undefined
  readonly #largest: number
  readonly #lines: Line[] = []
  readonly #waiting: (() => void)[] = []
  #holder: object | undefined
  readonly #timer = setTimeout(() => this.#holder && this.#release(this.#holder), LONGEST_TURN).unref()
  #instant: number | undefined
  #bytes = 0
  #mails = 0

  constructor(ports: Ports, seed: string, largest = LARGEST) {
    const { clock, random } = ports
    this.#world = { ports, clock, random }
    this.#largest = largest
    const seeded = ports.seededRandom(seed)
    ports.recorder = this
    ports.clock = { now: () => this.#instant ?? clock.now() }
    ports.random = {
      bytes: async (kind, length) => {
        if (!secretKinds.has(kind)) return seeded.bytes(kind, length)
        const drawn = await random.bytes(kind, length)
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
    this.#mails = (await this.#world?.ports.store.outbox.count()) ?? 0
  }

  /** The steps so far, as often as they are gone through; each is made when it is its turn. */
  steps(): Iterable<CaseStep & Readings> {
    // Without those on their way, and those left by their clients before they were read.
    const lines = this.#lines.filter((line) => !('recorder' in line) || line.exchange)
    return {
      *[Symbol.iterator]() {
        for (const [i, line] of lines.entries()) yield toStep(line, i + 1)
      },
    }
  }

  /** The world goes on as it was before. */
  stop(reason?: string): void {
    if (!this.#world) return
    const { ports, clock, random } = this.#world
    this.#world = undefined
    this.ended = reason
    Object.assign(ports, { recorder: undefined, clock, random })
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
    if (this.#hasRoom(exchange.bytes + LINE)) call.exchange = exchange
    if (exchange.isStream) return
    if (!call.changes) this.#release(call)
    else void this.#findMails().finally(() => this.#release(call))
  }

  release(call: RecordedCall): void {
    this.#release(call)
  }

  frame(frame: CaseFrame): void {
    this.#add({ frame })
  }

  closed(subscriptionId: string): void {
    this.#add({ closed: { subscriptionId } })
  }

  get #isOn(): boolean {
    return this.#world !== undefined
  }

  #begin(call: RecordedCall): void {
    call.at = this.#world?.clock.now() ?? 0
    if (this.#isOn) this.#lines.push(call)
    if (!call.movesClock && this.#holder === call) this.#instant = call.at
  }

  #add(what: { frame: CaseFrame } | { closed: { subscriptionId: string } } | { mail: Record<string, unknown> }): void {
    if (!this.#world) return
    const at = new Date(this.#world.ports.clock.now()).toISOString()
    if (this.#hasRoom(sizeOf(what) + LINE)) this.#lines.push({ step: 0, at, ...what })
  }

  /** Whether so many bytes more are few enough; else it ends without them. */
  #hasRoom(bytes: number): boolean {
    if (!this.#isOn) return false
    if (this.#bytes + bytes <= this.#largest) {
      this.#bytes += bytes
      return true
    }
    this.stop(`it has reached ${this.#largest} bytes`)
    return false
  }

  /** Mails that the call has sent. */
  async #findMails(): Promise<void> {
    if (!this.#world) return
    const { outbox } = this.#world.ports.store
    const count = await outbox.count()
    const fresh = count - this.#mails
    this.#mails = count
    if (fresh <= 0 || !this.#isOn) return
    const mails = await outbox.find({ orderBy: { field: 'sentAt', direction: 'desc' }, limit: fresh })
    for (const mail of mails.toReversed()) this.#add({ mail: { ...mail } })
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

function toStep(line: Line, step: number): CaseStep & Readings {
  if (!('recorder' in line)) return { ...line, step }
  const { call, reply, readings } = line.exchange!.read()
  const about = { step, at: new Date(line.at!).toISOString(), ...(readings && { readings }) }
  return line.isControl ? { ...about, control: call, reply } : { ...about, call, reply }
}

const encoder = new TextEncoder()

function sizeOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length
}
