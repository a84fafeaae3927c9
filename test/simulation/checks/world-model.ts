import type { Span, Window } from './span.ts'

export interface Request {
  kind: 'ticket' | 'inStore'
  /** Undefined if the response that contains it was lost. */
  srid: string | undefined
  owner: string
  /** Holder of the slots. A holder never has two slots at the same time. */
  holder: string
  /** Whether it counts as the one open request that its owner may have. */
  isCounted: boolean
  exists: Span
  open: Span
  places: { slotId: string; span: Span }[]
  images: { sha256: string; span: Span }[]
  /** Whether it may have been rescheduled up to the limit. */
  wasMoved: boolean
  /** Number of requests to reschedule it, and number of their responses. */
  asked: number
  answered: number
}

export interface Token {
  accessToken: string
  user: string
  locations: readonly string[]
  /** Earliest and latest expiry in milliseconds on the clock of the world. */
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
  /** Devices whose events the subscription gets, and the tick from which this is certain. */
  devices: readonly string[]
  devicesFrom: number
  /** All devices from which it may have received events. */
  mayGet: Set<string>
  /** Number of requests to change it, and number of their responses. */
  asked: number
  answered: number
  chain: Chain
}

/** What a client knows about the events of a subscription, in all its streams. */
export interface Chain {
  lastId: string | undefined
  lastSequence: number
  /** From this tick on, every acknowledged event must reach the client. */
  from: number
  seen: Set<number>
  /** Latest request tick of the events that have arrived, by device. */
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
  /** Service requests that were cancelled by email, possibly before their clients knew them. */
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
   * Models from which this one was forked, with requests that were pending at that time. Used until the fork is first
   * read.
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
  /** Other possible states, during a reset or after its response was lost. */
  others: WorldModel[]
  /** Number of certain or possible resets. */
  epoch: number
  isUnknown: boolean
  /** Tick of the last reset, which ended all earlier streams. */
  remadeAt: number
  /** State that a reset of this fork restores, or undefined if it is unknown. */
  origin: WorldModel | undefined
  isOriginUnknown: boolean
}
