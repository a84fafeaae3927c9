import { HEARTBEAT } from '../http/connection/sse.ts'
import type { EventConnection } from '../streams/event-connection.ts'
import type { StreamClaim } from '../ports/bus.ts'
import type { OpenStream } from '../ports/streams.ts'
import type { SpanReference, Tracing } from '../ports/tracing.ts'
import type { Chaos, StreamDescription, StreamEnding } from '#contract/records/events/stream.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import { StreamFault } from '../chaos/stream-fault.ts'
import {
  type ControlText,
  type EventFrame,
  type FrameMiddle,
  toFrameMiddle,
  writeControlFrame,
  writeFrame,
} from './frames.ts'

/** Maximum number of bytes in the queue. A stream that exceeds it is closed. */
const MAX_WAITING = 1024 * 1024
const SLOW = 'the client did not read, and more than 1 MiB was waiting'
const MAX_WRITE = 64 * 1024
/** Milliseconds before a reset. An early reset may lose data or look like a normal end. */
const READING_TIME = 50

export interface StreamKeeper {
  scheduleFlush(stream: LiveStream): void
  recordControl(stream: LiveStream, text: ControlText, id?: string): void
  remove(stream: LiveStream): void
  withholdWelcome(subscriptionId: string): void
}

export interface StreamOpening {
  subscription: Subscription
  claim: StreamClaim
  connection: EventConnection
  /** World time in milliseconds since the epoch. `endsAt` is the end of the token or of `stream-lifetime`. */
  openedAt: number
  endsAt: number
  endsBy: StreamEnd
  trace: StreamTrace | undefined
  /** ID of the request that opened the stream. */
  requestId: string
}

/** `task` is the name of the scheduled task, and `reason` is why the stream ends. */
export interface StreamEnd {
  task: string
  reason: string
}

export interface StreamTrace {
  traceId: string
  span: SpanReference | undefined
  tracing: Tracing | undefined
}

export class LiveStream implements OpenStream {
  readonly claim: StreamClaim
  readonly endsAt: number
  readonly endsBy: StreamEnd
  readonly trace: StreamTrace | undefined
  readonly requestId: string
  ending: StreamEnding = 'left'
  /** Why the stream ended, for the journal and the log. */
  reason = 'the client disconnected'
  #subscription: Subscription
  readonly #keeper: StreamKeeper
  readonly #connection: EventConnection
  readonly #openedAt: number
  #middle: FrameMiddle | undefined
  #queue: EventFrame[] = []
  /** True until the history has been added to the queue. Until then, live events wait in the queue. */
  #isCatchingUp = true
  /** History entries in the queue. They are not waiting bytes, because all streams share them. */
  #history = 0
  #waiting = 0
  #sent = 0
  #isWaitingForDrain = false
  #hasEnded = false
  #streamFault: StreamFault | undefined

  constructor(
    keeper: StreamKeeper,
    { subscription, claim, connection, openedAt, endsAt, endsBy, trace, requestId }: StreamOpening,
  ) {
    this.#keeper = keeper
    this.#subscription = subscription
    this.claim = claim
    this.endsAt = endsAt
    this.endsBy = endsBy
    this.trace = trace
    this.requestId = requestId
    this.#connection = connection
    this.#openedAt = openedAt
    connection.onClose(() => this.#leave())
  }

  get subscription(): Subscription {
    return this.#subscription
  }

  set subscription(subscription: Subscription) {
    this.#subscription = subscription
    this.#middle = undefined
  }

  get #ownPart(): FrameMiddle {
    this.#middle ??= toFrameMiddle(this.#subscription, this.claim.generation)
    return this.#middle
  }

  get subscriptionId(): string {
    return this.claim.subscriptionId
  }

  /** Events after this sequence number are complete. */
  notifyOfGap(sequence: number): void {
    const id = `${this.claim.generation}-${sequence}`
    this.#connection.write(writeControlFrame('gap', id))
    this.#keeper.recordControl(this, 'gap', id)
  }

  catchUp(missed: readonly EventFrame[], upTo: number): void {
    const live = this.#queue.filter(({ event }) => event.sequence > upTo)
    this.#queue = [...missed, ...live]
    this.#history = missed.length
    this.#waiting = live.reduce((sum, { size }) => sum + size, 0)
    this.#isCatchingUp = false
    this.flush()
  }

  /** Returns how many times the client receives the frame. A client does not receive a frame that is cut. */
  push(frame: EventFrame): number {
    if (this.#hasEnded) return 0
    const times = this.#streamFault?.takeNext() ?? 1
    const isFirst = this.#queue.length === 0
    for (let i = 0; i < times; i++) this.#queue.push(frame)
    this.#waiting += frame.size * times
    if (this.#waiting > MAX_WRITE) this.flush()
    else if (isFirst) this.#keeper.scheduleFlush(this)
    if (this.#waiting + this.#connection.waiting > MAX_WAITING) this.reset(SLOW)
    return this.#streamFault?.truncates ? 0 : times
  }

  flush(): void {
    while (this.#queue.length > 0 && this.#maySend()) {
      let text = ''
      let count = 0
      while (count < this.#queue.length && text.length < MAX_WRITE) {
        const frame = this.#queue[count++]!
        text += writeFrame(frame, this.#ownPart)
        if (this.#history > 0) this.#history--
        else this.#waiting -= frame.size
      }
      const place = this.#streamFault?.truncates
      if (place) return this.#sendCut(this.#queue[0]!, place)
      this.#queue = this.#queue.slice(count)
      this.#sent += count
      this.#connection.write(text)
    }
  }

  beat(): void {
    if (!this.#streamFault?.isSilent && !this.#connection.isFull && !this.#hasEnded) this.#connection.write(HEARTBEAT)
  }

  end(reason: string, { goodbye = false } = {}): void {
    if (this.#hasEnded) return
    this.reason = reason
    this.#streamFault?.stop()
    if (!this.#connection.isFull) this.flush()
    this.#hasEnded = true
    this.ending = goodbye ? 'goodbye' : 'ended'
    if (goodbye) {
      this.#connection.write(writeControlFrame('goodbye'))
      this.#keeper.recordControl(this, 'goodbye')
    }
    this.#connection.end()
    this.#leave()
  }

  reset(reason: string): void {
    if (!this.#hasEnded) {
      this.ending = 'reset'
      this.reason = reason
    }
    this.#connection.reset()
  }

  describe(): StreamDescription {
    return {
      subscriptionId: this.subscriptionId,
      name: this.subscription.name,
      user: this.subscription.user,
      generation: this.claim.generation,
      openedAt: new Date(this.#openedAt).toISOString(),
      eventsSent: this.#sent,
      bytesWaiting: this.#waiting + this.#connection.waiting,
    }
  }

  injectFault(chaos: Chaos): void {
    if (chaos.action === 'no-welcome') return this.#keeper.withholdWelcome(this.subscriptionId)
    if (chaos.action === 'drop') return this.reset('the stream fault drop')
    if (chaos.action === 'goodbye') return this.end('the stream fault goodbye', { goodbye: true })
    this.#streamFault ??= new StreamFault(() => this.flush())
    this.#streamFault.begin(chaos)
  }

  #maySend(): boolean {
    if (this.#isCatchingUp || this.#hasEnded || this.#streamFault?.isHolding) return false
    if (!this.#connection.isFull) return true
    if (!this.#isWaitingForDrain) {
      this.#isWaitingForDrain = true
      this.#connection.onceDrained(() => {
        this.#isWaitingForDrain = false
        this.flush()
      })
    }
    return false
  }

  #leave(): void {
    this.#hasEnded = true
    this.#queue = []
    this.#streamFault?.stop()
    this.#keeper.remove(this)
  }

  /** With `id`, only the final empty line is missing, so the client reads the ID but must not count the event. */
  #sendCut(frame: EventFrame, place: 'middle' | 'id'): void {
    this.#hasEnded = true
    this.ending = 'truncated'
    this.reason = 'the stream fault truncate'
    const text = writeFrame(frame, this.#ownPart)
    const cut = () => setTimeout(() => this.#connection.reset(), READING_TIME)
    this.#connection.write(text.slice(0, place === 'id' ? -1 : text.length / 2), cut)
  }
}
