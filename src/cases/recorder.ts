import { toAlphanumeric } from '../domain/ids.ts'
import type { Clock, Ports, Random } from '../ports.ts'
import type { CaseCall, CaseFrame, CaseReply, CaseStep, RecordedCall, Recorder } from '../schemas/control/case.ts'
import { renumber } from './case-file.ts'

/** A case's bytes, about: then it ends by itself. */
const LARGEST = 32 * 1024 * 1024
/** What a line holds beside texts, in bytes. */
const LINE = 300
/** Milliseconds: one that is answered later, or never, holds up nobody for longer. */
const LONGEST_TURN = 1000

/** Kinds of chance that secrets are made of, by two bytes a character: they are no function of the case's seed. */
const secretKinds: ReadonlySet<string> = new Set(['accessToken', 'serviceToken', 'ctiToken', 'cancelKey'])

type Draft = { at: number; kind: 'call' | 'control'; call?: CaseCall; reply?: CaseReply }
type Line = Draft | Exclude<CaseStep, { reply: CaseReply }>

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
  #timer: NodeJS.Timeout | undefined
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
      if (!('kind' in line)) return [line]
      // On its way, or left by its client before it was read.
      const { kind, call, reply } = line
      const about = { step: 1, at: new Date(line.at).toISOString() }
      if (!call || !reply) return []
      return kind === 'call' ? [{ ...about, call, reply }] : [{ ...about, control: call, reply }]
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
    for (const next of this.#waiting.splice(0)) next()
  }

  begin({
    isControl,
    movesClock,
    changes,
  }: {
    isControl: boolean
    movesClock: boolean
    changes: boolean
  }): RecordedCall {
    const body: Uint8Array[] = []
    const turn = {}
    let line: Draft | undefined
    const open = (): Draft => {
      line = { at: this.#clock.now(), kind: isControl ? 'control' : 'call' }
      if (this.#isOn) this.#lines.push(line)
      return line
    }
    return {
      body,
      takeTurn: () => {
        if (line) return undefined
        const begin = () => {
          const { at } = open()
          if (!movesClock && this.#holder === turn) this.#instant = at
        }
        const wait = this.#take(turn)
        if (wait) return wait.then(begin)
        begin()
        return undefined
      },
      finish: (call, reply) => {
        Object.assign(line ?? open(), { call, reply })
        this.#weigh(lengthOf(call.body) + call.path.length + lengthOf(reply.body) + 2 * LINE)
        if (reply.headers?.['content-type'] === 'text/event-stream') return
        if (!changes) this.#release(turn)
        else void this.#findMails().finally(() => this.#release(turn))
      },
      release: () => this.#release(turn),
    }
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
    this.#timer = setTimeout(() => this.#release(turn), LONGEST_TURN).unref()
  }

  #release(turn: object): void {
    if (this.#holder !== turn) return
    clearTimeout(this.#timer)
    this.#holder = undefined
    this.#instant = undefined
    this.#waiting.shift()?.()
  }
}

function lengthOf(body: CaseCall['body']): number {
  if (body === undefined) return 0
  return typeof body === 'string' ? body.length : body.base64.length
}
