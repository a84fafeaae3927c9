import type { Place } from '../environment/cluster.ts'
import type { Asked, Exchange } from '../environment/exchange.ts'
import { NOBODY, type Scheduler } from '../environment/scheduler.ts'
import { readReply, SimulatedSocket, sendOver } from '../environment/socket.ts'
import { violated } from './span.ts'
import type { Chain, Emission, Subscription, WorldState } from './world-model.ts'

/** The parts of a run that a stream uses and changes. */
interface Surroundings {
  readonly scheduler: Scheduler
  readonly streams: Set<ClientStream>
  readonly emissions: ReadonlyMap<number, Emission>
  readonly exchanges: Exchange[]
  readonly asked: ReadonlySet<{ name: string; movesClock?: boolean }>
  readonly hasProblem: boolean
  tick(): number
  watch(judge: () => void): void
}

export function newChain(from: number): Chain {
  return {
    lastId: undefined,
    lastSequence: 0,
    from,
    seen: new Set(),
    latestCall: new Map(),
    lastTick: from,
    lastNow: Infinity,
  }
}

/** A connection to the stream of a subscription, together with the client that checks what it receives. */
export class ClientStream {
  readonly world: WorldState
  readonly subscription: Subscription
  readonly call: number
  readonly chain: Chain
  readonly socket: SimulatedSocket
  /** Ticks at which the first bytes arrived and the stream ended. */
  openedAt: number | undefined
  endedAt: number | undefined
  endedNow = Infinity
  status: number | undefined
  readonly #run: Surroundings
  readonly place: Place
  readonly #isFresh: boolean
  /** The delay is checked only for events after this time, because earlier ones may be read much later. */
  readonly #since: { tick: number; now: number }
  #answer: (answer: { status: number; text: string } | undefined) => void = () => {}
  #read = 0

  constructor(
    run: Surroundings,
    {
      world,
      subscription,
      place,
      chain,
    }: { world: WorldState; subscription: Subscription; place: Place; chain: Chain },
  ) {
    this.#run = run
    this.world = world
    this.subscription = subscription
    this.place = place
    this.chain = chain
    this.#isFresh = chain.lastId === undefined
    this.#since = { tick: chain.lastTick, now: chain.lastNow }
    this.call = run.tick()
    this.socket = new SimulatedSocket(() => run.watch(() => this.#take()))
    this.socket.on('error', () => {})
    this.socket.once('close', () => {
      this.endedAt = run.tick()
      this.endedNow = run.scheduler.now
      place.sockets.delete(this.socket)
      this.#answer(this.status === undefined ? undefined : { status: this.status, text: this.socket.text })
    })
  }

  get isLive(): boolean {
    return this.status === 200 && this.endedAt === undefined
  }

  /**
   * Resolves with the status and text when the response head has arrived. Resolves with undefined if the connection
   * ended before that.
   */
  open(url: string, headers: Record<string, string>): Promise<{ status: number; text: string } | undefined> {
    const { app, life, sockets } = this.place
    sockets.add(this.socket)
    this.#run.streams.add(this)
    return new Promise((resolve) => {
      this.#answer = (answer) => this.#run.scheduler.soon(() => resolve(answer), NOBODY)
      this.#run.scheduler.soon(() => sendOver(app, this.socket, url, headers), life)
    })
  }

  hangUp(): void {
    this.note({ method: 'GET', url: '' }, true)
    this.#run.scheduler.soon(() => this.socket.destroy(), this.place.life)
  }

  note(request: Asked, isLeft = false): void {
    const stream = { subscriptionId: this.subscription.subscriptionId, isLeft }
    const { name: world } = this.world
    this.#run.exchanges.push({
      world,
      now: this.#run.scheduler.now,
      request,
      status: this.status ?? 0,
      text: '',
      stream,
    })
  }

  readOn(): void {
    this.#run.scheduler.soon(() => this.socket.readOn(), this.place.life)
  }

  /** As soon as the lease of an isolated instance has expired, a token must have only one stream. */
  #watchRivals(openedAt: number): void {
    const { scheduler, streams } = this.#run
    // A suspended instance cannot end streams, and a slow client has not yet seen the end of its stream.
    const isOpen = ({ isLive, place, socket }: ClientStream) => isLive && !place.life?.wasPaused && !socket.isSlow
    const isRival = (other: ClientStream) =>
      isOpen(other) && other.world === this.world && this.#isRival(other.subscription)
    const look = () => {
      if (!isOpen(this)) return
      if (scheduler.steps < openedAt + ENDING) return this.#watchRivals(openedAt)
      if ([...streams].some(isRival)) this.#run.watch(() => violated('2 one stream a token', this.world.name))
    }
    scheduler.in(LEASE, look, { owner: NOBODY })
  }

  #isRival({ subscriptionId, token }: Subscription): boolean {
    const own = this.subscription
    return subscriptionId !== own.subscriptionId && token.accessToken === own.token.accessToken
  }

  #take(): void {
    const reply = readReply(this.socket.text)
    if (!reply) return
    if (this.status === undefined) {
      this.status = reply.status
      this.openedAt = this.#run.tick()
      if (reply.status === 200) {
        this.#answer({ status: 200, text: '' })
        this.#watchRivals(this.#run.scheduler.steps)
      }
    }
    if (reply.status !== 200) return
    for (let end = reply.body.indexOf('\n\n', this.#read); end >= 0; end = reply.body.indexOf('\n\n', this.#read)) {
      this.#takeBlock(reply.body.slice(this.#read, end))
      this.#read = end + 2
    }
  }

  #takeBlock(block: string): void {
    const fields = new Map<string, string>()
    for (const [, name, value] of block.matchAll(/^(\w+): (.*)$/gm)) fields.set(name!, value!)
    const [event, data = '', id] = [fields.get('event'), fields.get('data'), fields.get('id')]
    if (event === undefined) return
    this.#run.scheduler.note(block)
    const { chain } = this
    const sequence = Number(id?.split('-')[1] ?? 0)
    const tick = this.#run.tick()
    let lastTick = this.call
    if (event === 'CONTROL_EVENT') {
      if (data === 'gap') this.#takeGap(tick)
      else if (data === 'welcome' && this.#isFresh) chain.from = tick
    } else lastTick = this.#takeEvent(JSON.parse(data) as DeviceEvent, sequence).call
    if (id === undefined) return
    // When a client resumes, the welcome event repeats its position, and the missed events follow.
    const isNews = data !== 'welcome' || sequence !== chain.lastSequence
    Object.assign(chain, { lastId: id, lastSequence: sequence })
    if (isNews) Object.assign(chain, { lastTick, lastNow: this.#run.scheduler.now })
  }

  #takeGap(tick: number): void {
    const { chain, world } = this
    const { tick: since, now } = this.#since
    const { gapCause } = world.model
    // Events of requests that were pending during the clock change may have a timestamp before the change.
    const isOlder = ({ world: name, call, ret }: Emission) => name === world.name && call <= gapCause && ret >= since
    const isMoved = [...this.#run.asked].some((each) => each.movesClock && each.name === world.name)
    const isChanging = isMoved || world.others.length > 0 || world.isUnknown
    const hasCause = isChanging || gapCause >= since || [...this.#run.emissions.values()].some(isOlder)
    if (!hasCause && this.#run.scheduler.now - now <= HISTORY && !this.#run.hasProblem)
      violated('3 a gap is told where one is', `subscription ${this.subscription.subscriptionId}`)
    chain.from = tick
  }

  #takeEvent({ deviceEvent: { deviceId, value } }: DeviceEvent, sequence: number): Emission {
    const { chain, subscription, world } = this
    const emission = this.#run.emissions.get(value)
    const where = `event ${value} on ${subscription.subscriptionId} of ${world.name}`
    if (emission?.world !== world.name) violated('worlds are apart', `${where} is of ${emission?.world}`)
    if (!subscription.mayGet.has(deviceId)) violated('10 nobody hears what is not theirs', `${where}: ${deviceId}`)
    if (chain.seen.has(value)) violated('3 each event once', where)
    if (sequence <= chain.lastSequence)
      violated('3 events in order', `${where}: ${sequence} after ${chain.lastSequence}`)
    if (emission.ret < (chain.latestCall.get(deviceId) ?? 0)) violated('3 events of a device in order', where)
    chain.seen.add(value)
    chain.latestCall.set(deviceId, Math.max(chain.latestCall.get(deviceId) ?? 0, emission.call))
    return emission
  }
}

/**
 * If a stream was taken over, it must end within this number of milliseconds, and within this number of scheduler
 * steps.
 */
const LEASE = 12_000
const ENDING = 200

/** Milliseconds for which events are guaranteed to be stored. */
const HISTORY = 9 * 60_000

interface DeviceEvent {
  deviceEvent: { deviceId: string; value: number }
}
