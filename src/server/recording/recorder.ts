import { generatedSecrets } from '#contract/records/secret-names.ts'
import { toAlphanumeric } from '../domain/ids.ts'
import type { Ports } from '../ports.ts'
import type { Random } from '../ports/chance.ts'
import type { Clock } from '../ports/clock.ts'
import type { CapturedExchange } from '../ports/exchange.ts'
import type { RecordedCall, Recorder } from '../ports/recorder.ts'
import type { HttpResponse } from '#contract/exchange.ts'
import type { CaseFrame, CaseStep, CaseStreamEnd } from '#contract/files/case.ts'
import type { RecordChanges } from '../ports/store.ts'
import { RecordedPast } from './recorded-past.ts'
import { readStep } from './recorded-calls.ts'

/** Maximum size in bytes. The recording then ends, so that a forgotten recording does not fill the memory. */
const LARGEST = 32 * 1024 * 1024
const LINE = 300
/** Milliseconds after which the slot of a call without a response passes to the next call. */
const LONGEST_WAIT = 1000

type Line = RecordedCall | Exclude<CaseStep, { reply: HttpResponse }>

/** One call at a time, each with a single timestamp, so that a replay gets the same responses. */
export class CaseRecorder implements Recorder {
  ended: string | undefined
  readonly seed: string
  readonly #past = new RecordedPast()
  /** Undefined after the end of the recording, so that the world can be garbage-collected. */
  #ports: Ports | undefined
  readonly #drawn: ReturnType<typeof createRecordedSources>
  readonly #largest: number
  readonly #lines: Line[] = []
  readonly #waiting: (() => void)[] = []
  #holder: object | undefined
  #timer: NodeJS.Timeout | undefined
  #bytes = 0
  /** Emails of the current call, with timestamps. An email that the call itself deletes is not recorded. */
  readonly #mails = new Map<string, { at: number; mail: Record<string, unknown> }>()

  constructor(ports: Ports, seed: string, largest = LARGEST) {
    this.#ports = ports
    this.seed = seed
    this.#largest = largest
    this.#drawn = createRecordedSources(ports, seed)
    ports.state.recorder = this
  }

  get sources(): Recorder['sources'] {
    return this.#drawn.sources
  }

  get issued(): ReadonlySet<string> {
    return this.#drawn.issued
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = {}
    await this.#take(turn)
    try {
      return await work()
    } finally {
      this.#release(turn)
    }
  }

  /** Emails that were sent before the recording are not part of it. */
  forgetMails(): void {
    this.#mails.clear()
  }

  /** Creates each step when it is read, because creating all of them at once would block the server. */
  steps(): Iterable<CaseStep> {
    const lines = this.#toldLines()
    return {
      *[Symbol.iterator]() {
        for (const [i, line] of lines.entries())
          yield 'recorder' in line ? readStep(line, i + 1) : { ...line, step: i + 1 }
      },
    }
  }

  instants(): number[] {
    return this.#toldLines().map((line) => ('recorder' in line ? line.at! : Date.parse(line.at)))
  }

  readPast(steps: number): ReturnType<RecordedPast['read']> {
    return this.#past.read(this.#toldLines().slice(0, steps))
  }

  /** Omits calls that are in progress and calls whose request was never read completely. */
  #toldLines(): Line[] {
    return this.#lines.filter((line) => !('recorder' in line) || line.exchange)
  }

  stop(reason?: string): void {
    if (!this.#ports) return
    this.#ports.state.recorder = undefined
    this.#ports = undefined
    this.ended = reason
    this.#drawn.stop()
    clearTimeout(this.#timer)
    for (const next of this.#waiting.splice(0)) next()
  }

  waitForSlot(call: RecordedCall): Promise<void> | undefined {
    if (call.at !== undefined) return undefined
    const wait = this.#take(call)
    // If the response was sent while the call was waiting, the slot is released immediately.
    if (wait) return wait.then(() => (call.at === undefined ? this.#begin(call) : this.#release(call)))
    this.#begin(call)
    return undefined
  }

  finish(call: RecordedCall, exchange: CapturedExchange): void {
    if (call.at === undefined) this.#begin(call)
    const { url, text, headers, replyHeaders } = exchange
    // The size in the file, where quotes and line endings are escaped. Half of the headers' size is JSON syntax.
    const bytes = sizeOf([url, call.sent, text, headers, headers.slice(0, headers.length / 2), replyHeaders])
    if (this.#hasRoom(bytes + LINE)) call.exchange = exchange
    // A stream continues after its headers were sent, so its call keeps the slot.
    if (replyHeaders['content-type'] === 'text/event-stream') this.#mark(call)
    else this.release(call)
  }

  release(call: RecordedCall): void {
    this.#addMails()
    this.#mark(call)
    this.#release(call)
  }

  frame(frame: CaseFrame): void {
    this.#add({ frame })
  }

  closed(closed: CaseStreamEnd): void {
    this.#add({ closed })
  }

  wrote(changes: RecordChanges, characters: number): void {
    if (!this.#hasRoom(characters)) return
    this.#past.wrote(changes)
    const at = this.sources.clock.now()
    for (const [messageId, mail] of changes.get('outbox') ?? []) {
      this.#mails.delete(messageId)
      if (mail) this.#mails.set(messageId, { at, mail: { ...mail } })
    }
    // Requests that only read have no slot, but may advance service requests and thereby send emails.
    if (!this.#holder) this.#addMails()
  }

  get #isOn(): boolean {
    return this.#ports !== undefined
  }

  #mark(call: RecordedCall): void {
    if (this.#ports && call.exchange) this.#past.mark(call, this.#ports, call.at!, call.movesClock)
  }

  #begin(call: RecordedCall): void {
    call.at = this.#ports?.clock.now() ?? 0
    if (this.#isOn) this.#lines.push(call)
    if (!call.movesClock && this.#holder === call) this.#drawn.stand(call.at)
  }

  #addMails(): void {
    for (const { at, mail } of this.#mails.values()) this.#add({ mail }, at)
    this.#mails.clear()
  }

  #add(
    what: { frame: CaseFrame } | { closed: CaseStreamEnd } | { mail: Record<string, unknown> },
    now = this.sources.clock.now(),
  ): void {
    if (!this.#hasRoom(sizeOf(what) + LINE)) return
    const line = { step: 0, at: new Date(now).toISOString(), ...what }
    this.#lines.push(line)
    this.#past.mark(line, this.#ports!, now)
  }

  #hasRoom(bytes: number): boolean {
    if (!this.#isOn) return false
    if (this.#bytes + bytes <= this.#largest) {
      this.#bytes += bytes
      return true
    }
    this.stop(`it has reached ${this.#largest} bytes`)
    return false
  }

  #take(turn: object): Promise<void> | undefined {
    if (!this.#isOn) return undefined
    if (!this.#holder) {
      this.#hold(turn)
      return undefined
    }
    this.#timer ??= setTimeout(() => this.#holder && this.#release(this.#holder), LONGEST_WAIT).unref()
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        if (this.#isOn) this.#hold(turn)
        resolve()
      })
    })
  }

  #hold(turn: object): void {
    this.#holder = turn
    this.#timer?.refresh()
  }

  #release(turn: object): void {
    if (this.#holder !== turn) return
    this.#addMails()
    this.#holder = undefined
    this.#drawn.stand(undefined)
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** A replay generates the same IDs. Secrets are always random. Work after the end uses the world's randomness. */
function createRecordedSources({ clock, random, seededRandom, world }: Ports, seed: string) {
  let seeded: Random | undefined = seededRandom(seed)
  let instant: number | undefined
  const issued = new Set<string>()
  const recordedClock: Clock = { now: () => instant ?? clock.now() }
  const recordedRandom: Random = {
    bytes: async (kind, length) => {
      if (!seeded) return random.bytes(kind, length)
      if (!Object.hasOwn(generatedSecrets, kind)) return seeded.bytes(kind, length)
      const drawn = await random.bytes(kind, length)
      // A replay has a seed and counts every value, so a recorded world without a seed must count it too.
      if (world.seed === undefined) await seeded.bytes(kind, 1)
      // The length is halved because a token uses two bytes per character.
      issued.add(toAlphanumeric(drawn, length / 2))
      return drawn
    },
  }
  /** Pauses the clock at `at`, so that a call sees a single timestamp. `undefined` resumes it. */
  const stand = (at: number | undefined) => {
    instant = at
  }
  const stop = () => {
    stand(undefined)
    seeded = undefined
  }
  return { sources: { clock: recordedClock, random: recordedRandom }, issued, stand, stop }
}

const encoder = new TextEncoder()

function sizeOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length
}
