import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { millisecondsOf } from '#contract/records/duration.ts'
import { InterestIndex } from '../domain/events/event-matching.ts'
import { type Admission, findMissed, leaveStream } from '../domain/events/streams.ts'
import { displayedRequestId } from '../http/request-context.ts'
import { EventConnection } from '../streams/event-connection.ts'
import type { Ports } from '../ports.ts'
import type { Notice, PublishedEvent } from '../ports/bus.ts'
import type { Streams } from '../ports/streams.ts'
import { recordControlFrame, recordEnd, recordFrames, traceOf } from './frame-journal.ts'
import { type ControlText, toFrame, writeControlFrame, writeRetry } from './frames.ts'
import { LiveStream, type StreamEnd, type StreamKeeper } from './live-stream.ts'

const AT_ONCE = 100

const REPLACED = 'a newer connection replaced the stream'
const DELETED = 'the subscription was deleted'
const REVOKED = 'the access token was revoked'
const BY_TOKEN = { task: 'access token ends, with its stream', reason: 'the access token expired' }
const BY_LIFETIME = { task: 'stream ends because of stream-lifetime', reason: 'stream-lifetime is over' }

export class Hub implements StreamKeeper {
  readonly #ports: Ports
  readonly #changed: (hub: Hub) => void
  readonly #logger: FastifyBaseLogger | undefined
  readonly #streams: Streams<LiveStream>
  readonly #interests = new InterestIndex<LiveStream>()
  /** IDs of subscriptions whose next stream must start without a welcome event. */
  readonly #unwelcome = new Set<string>()
  readonly #watchToken: (stream: LiveStream) => void
  #due: LiveStream[] = []

  constructor(ports: Ports, changed: (hub: Hub) => void, logger?: FastifyBaseLogger) {
    this.#ports = ports
    this.#logger = logger
    this.#changed = changed
    // Only this hub adds streams to `ports.streams`, so all of these streams have this type.
    this.#streams = ports.streams as Streams<LiveStream>
    this.#watchToken = endWithTokens(ports, this.#streams)
    ports.bus.listen({ onEvent: (event) => this.#deliver(event), onNotice: (notice) => this.#follow(notice) })
  }

  get size(): number {
    return this.#streams.size
  }

  /** Opens a stream. It gets the welcome event, then missed events, then live events. */
  async open(admission: Admission, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { world, bus, clock } = this.#ports
    const { subscription, token, claim, seen } = admission
    const { subscriptionId, generation } = claim
    const head = bus.head()
    const from = seen === undefined || seen === 'unknown' ? head : seen
    const id = `${generation}-${from}`
    const isWelcome = !this.#unwelcome.delete(subscriptionId)
    const first = writeRetry(world.streamRetryMs) + (isWelcome ? writeControlFrame('welcome', id) : '')
    const connection = new EventConnection(request, reply, first)
    // The most recently registered connection wins, even if its socket opened first.
    const newest = this.#streams.find(subscriptionId)?.claim.generation ?? 0
    if (newest > generation || this.#streams.isOver || request.server.closing.aborted) return connection.end()
    const openedAt = clock.now()
    const end = findEnd(Date.parse(token.expiresAt), openedAt, world.choices['stream-lifetime'])
    const trace = traceOf(request)
    const requestId = displayedRequestId(request)
    const stream = new LiveStream(this, { subscription, claim, connection, openedAt, ...end, trace, requestId })
    connection.isNamed = (value) =>
      stream.subscription.subscriptionFilters.some((filter) => filter.capability === value)
    connection.onCut = () => stream.reset(`the fault ${request.context.faults?.join(', ')} cut off the response`)

    if (isWelcome) this.recordControl(stream, 'welcome', id)
    this.#streams.add(stream)
    this.#interests.add(stream, subscription)
    this.#changed(this)
    this.#watchToken(stream)

    try {
      await this.#catchUp(stream, admission, head)
      // The stream was not notified of changes to its subscription and token since the admission.
      await this.#checkAgain([stream])
      // The process may have been suspended, and another stream may have replaced this one in the meantime.
      if (this.#has(stream) && (await bus.claim(claim)) !== 'granted') stream.end(REPLACED)
      // If the stream has already ended, it must not occupy a slot.
      if (!this.#has(stream)) await bus.release(claim)
    } catch {
      // The store is not available. The client reconnects and sends the ID of its last event.
      stream.reset('the store is not available')
    }
  }

  beat(): void {
    const streams = this.#streams.list()
    for (const stream of streams) stream.beat()
    // Another instance may have failed to announce a change, so all streams are checked again.
    void this.#checkAgain(streams).catch(() => {})
  }

  end(): void {
    this.#streams.close()
  }

  /** All events of an event-loop tick are written to each socket in a single write. */
  scheduleFlush(stream: LiveStream): void {
    if (this.#due.push(stream) === 1) setImmediate(() => this.#flushDue())
  }

  withholdWelcome(subscriptionId: string): void {
    this.#unwelcome.add(subscriptionId)
  }

  recordControl(stream: LiveStream, text: ControlText, id?: string): void {
    recordControlFrame(this.#ports, stream, text, id)
  }

  remove(stream: LiveStream): void {
    const { subscriptionId } = stream.claim
    if (!this.#interests.remove(stream)) return
    const { requestId, reason } = stream
    this.#ports.state.recorder?.closed({ subscriptionId, reason })
    recordEnd(this.#ports, stream)
    const line = { world: this.#ports.world.name, reqId: requestId, operation: 'stream', reason }
    this.#logger?.info(line, `stream ended: ${reason}`)
    this.#streams.remove(stream)
    this.#changed(this)
    void leaveStream(this.#ports, stream.claim).catch(() => {})
  }

  #has(stream: LiveStream): boolean {
    return this.#streams.find(stream.subscriptionId) === stream
  }

  #deliver(event: PublishedEvent): void {
    const streams = this.#interests.find(event)
    if (streams.length === 0) return
    const frame = toFrame(event)
    const receivers: LiveStream[] = []
    for (const stream of streams) {
      for (let left = stream.push(frame); left > 0; left--) receivers.push(stream)
    }
    recordFrames(this.#ports, receivers, frame)
  }

  #follow(notice: Notice): void {
    if (notice.kind === 'claims-over') return this.end()
    if (notice.kind === 'token-ended') return this.#endToken(notice.tokenDigest)
    if (notice.kind === 'subscription-changed') return this.#change(notice.subscription)
    if (notice.kind === 'scenario-started') return
    const stream = this.#streams.find(notice.subscriptionId)
    if (notice.kind === 'subscription-deleted') stream?.end(DELETED, { goodbye: true })
    else if (stream && stream.claim.generation < notice.generation) stream.end(REPLACED)
  }

  /** Includes streams that are being replaced. */
  #endToken(tokenDigest: string): void {
    for (const stream of this.#streams.list()) if (stream.claim.tokenDigest === tokenDigest) stream.end(REVOKED)
  }

  #change(subscription: LiveStream['subscription']): void {
    const stream = this.#streams.find(subscription.subscriptionId)
    if (!stream || subscription.revision <= stream.subscription.revision) return
    stream.subscription = subscription
    this.#interests.add(stream, subscription)
  }

  async #catchUp(stream: LiveStream, admission: Admission, head: number): Promise<void> {
    const { events, gap } = await findMissed(this.#ports, admission)
    // The stream may have ended in the meantime. Its connection may then already belong to another request.
    if (!this.#has(stream)) return
    // The ID is that of the gap's end, so a client that reconnects does not get the gap event again.
    if (gap) stream.notifyOfGap((events[0]?.sequence ?? head + 1) - 1)
    const frames = events.map(toFrame)
    const now = this.#ports.clock.now()
    // Events after the head have also reached the stream as live events, which are already recorded.
    const missed = frames.filter(({ event }) => event.sequence <= head)
    for (const frame of missed) recordFrames(this.#ports, [stream], frame, now)
    stream.catchUp(frames, events.at(-1)?.sequence ?? 0)
  }

  async #checkAgain(streams: readonly LiveStream[]): Promise<void> {
    const { store } = this.#ports
    for (let from = 0; from < streams.length; from += AT_ONCE) {
      const some = streams.slice(from, from + AT_ONCE)
      const [subscriptions, tokens] = await Promise.all([
        store.subscriptions.find({ where: { subscriptionId: some.map((each) => each.subscriptionId) } }),
        store.accessTokens.find({ where: { tokenDigest: some.map(({ claim }) => claim.tokenDigest) } }),
      ])
      const found = new Map(subscriptions.map((each) => [each.subscriptionId, each]))
      const valid = new Set(tokens.map(({ tokenDigest }) => tokenDigest))
      for (const stream of some) {
        const subscription = found.get(stream.subscriptionId)
        if (!subscription) stream.end(DELETED, { goodbye: true })
        else if (!valid.has(stream.claim.tokenDigest)) stream.end(REVOKED)
        else this.#change(subscription)
      }
    }
  }

  #flushDue(): void {
    const due = this.#due
    this.#due = []
    for (const stream of due) stream.flush()
  }
}

function findEnd(tokenEndsAt: number, openedAt: number, lifetime: string): { endsAt: number; endsBy: StreamEnd } {
  const dies = lifetime === 'none' ? Infinity : openedAt + millisecondsOf(lifetime)
  return dies < tokenEndsAt ? { endsAt: dies, endsBy: BY_LIFETIME } : { endsAt: tokenEndsAt, endsBy: BY_TOKEN }
}

/** A single task ends all expired streams. A task for each stream would need as much memory as the stream. */
function endWithTokens({ scheduler }: Pick<Ports, 'scheduler'>, streams: Streams<LiveStream>) {
  let next = Number.POSITIVE_INFINITY
  let cancel = () => {}

  function watch({ endsAt, endsBy }: LiveStream): void {
    if (endsAt >= next) return
    cancel()
    next = endsAt
    cancel = scheduler.schedule(endsAt, () => endExpired(endsAt), endsBy.task)
  }

  /** Returns false if the streams that expire at this time have already ended. */
  function endExpired(now: number): boolean {
    next = Number.POSITIVE_INFINITY
    let hasEnded = false
    for (const stream of streams.list()) {
      if (stream.endsAt > now) watch(stream)
      else {
        stream.end(stream.endsBy.reason)
        hasEnded = true
      }
    }
    return hasEnded
  }

  return watch
}
