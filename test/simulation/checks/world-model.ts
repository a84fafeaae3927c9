import type { Span, Window } from './span.ts'

export interface Request {
  kind: 'ticket' | 'inStore'
  /** Undefined if the response that contained it was lost. */
  srid: string | undefined
  owner: string
  /** Holder of the slots. A holder never has two slots at the same time. */
  holder: string
  /** Whether this is the one open request that its owner may have. */
  isCounted: boolean
  exists: Span
  open: Span
  places: { slotId: string; span: Span }[]
  images: { sha256: string; span: Span }[]
  /** Whether it may already have been rescheduled as often as allowed. */
  wasMoved: boolean
  /** Number of requests to reschedule it, and number of responses to these requests. */
  asked: number
  answered: number
}

export interface Token {
  accessToken: string
  user: string
  locations: readonly string[]
  /** Earliest and latest time of expiry, in milliseconds on the clock of the world. */
  expiresAt: number
  overAt: number
  span: Span
}

export interface Subscription {
  subscriptionId: string
  user: string
  token: Token
  url: string
  span: Span
  /** Devices whose events the subscription receives. From the tick `devicesFrom` on, this is certain. */
  devices: readonly string[]
  devicesFrom: number
  /** All devices whose events it may have received. */
  mayGet: Set<string>
  /** Number of requests to change it, and number of responses to these requests. */
  asked: number
  answered: number
  chain: Chain
}

/** What a client knows about the events of a subscription, across all its streams. */
export interface Chain {
  lastId: string | undefined
  lastSequence: number
  /** From this tick on, every acknowledged event must reach the client. */
  from: number
  seen: Set<number>
  /** For each device, the latest tick at which an event that has arrived was requested. */
  latestCall: Map<string, number>
  lastTick: number
  lastNow: number
}

export interface Emission extends Window {
  world: string
  value: number
  deviceId: string
}

export interface Purchase {
  purchaseID: string
  seller: string
  span: Span
  active: Span
}

export interface ServiceToken {
  token: string
  seller: string
  span: Span
}

/** What clients know about a world since its last reset. */
export class WorldModel {
  readonly name: string
  readonly requests: Request[] = []
  readonly tokens: Token[] = []
  readonly subscriptions: Subscription[] = []
  readonly emissions = new Map<number, Emission>()
  readonly purchases: Purchase[] = []
  readonly serviceTokens: ServiceToken[] = []
  /** Service requests that were cancelled by email, perhaps before clients knew about them. */
  readonly doubted = new Set<string>()
  /** Milliseconds by which the clock of the world may be ahead of real time. */
  ahead = 0
  /** Whether the clock was changed. The expiry of tokens is then unknown. */
  wasMoved = false
  /** Whether the clock may have been set back. A cancellation may then be in the future. */
  wasSetBack = false
  /** Tick of the last action after which a stream may report a gap. */
  gapCause = 0
  /**
   * Models from which this one was forked while requests were pending. They are used until the fork is read for the
   * first time.
   */
  readonly parents: WorldModel[] = []

  constructor(name: string) {
    this.name = name
  }

  find(srid: string): Request | undefined {
    return this.requests.find((each) => each.srid === srid)
  }

  copied(name: string, window: Window): WorldModel {
    const copy = new WorldModel(name)
    copy.ahead = this.ahead
    copy.wasMoved = this.wasMoved
    copy.wasSetBack = this.wasSetBack
    copy.parents.push(this)
    copy.requests.push(
      ...this.requests.map((each) => ({
        ...each,
        exists: each.exists.copied(window),
        open: each.open.copied(window),
        places: each.places.map(({ slotId, span }) => ({ slotId, span: span.copied(window) })),
        images: each.images.map(({ sha256, span }) => ({ sha256, span: span.copied(window) })),
      })),
    )
    copy.tokens.push(...this.tokens.map((each) => ({ ...each, span: each.span.copied(window) })))
    copy.purchases.push(
      ...this.purchases.map((each) => ({
        ...each,
        span: each.span.copied(window),
        active: each.active.copied(window),
      })),
    )
    copy.serviceTokens.push(...this.serviceTokens.map((each) => ({ ...each, span: each.span.copied(window) })))
    return copy
  }
}

export interface WorldState {
  name: string
  span: Span
  model: WorldModel
  /** Other states in which the world may be, during a reset or after the response to a reset was lost. */
  others: WorldModel[]
  /** Number of resets that have certainly or possibly occurred. */
  epoch: number
  isUnknown: boolean
  /** Tick of the last reset, which ended all earlier streams. */
  remadeAt: number
  /** State to which a reset returns this fork. Undefined if it is unknown. */
  origin: WorldModel | undefined
  isOriginUnknown: boolean
}
