import type { Span, Window } from './span.ts'

/** A service request, of a dealer's customer or in store. */
export interface Request {
  kind: 'ticket' | 'inStore'
  /** Unknown while the response with it is lost. */
  srid: string | undefined
  /** The profile or company that may see it. */
  owner: string
  /** The holder of its slots, who never has two at a time. */
  holder: string
  /** Whether it counts for the one open request of its owner. */
  isCounted: boolean
  exists: Span
  open: Span
  places: { slotId: string; span: Span }[]
  images: { sha256: string; span: Span }[]
  /** Whether it may have been rescheduled so often that it is not any more. */
  wasMoved: boolean
  /** How many times it was asked to be rescheduled, and how many of them are answered. */
  asked: number
  answered: number
}

export interface Token {
  accessToken: string
  user: string
  locations: readonly string[]
  /** When it expires at the soonest and at the latest, in milliseconds by the world's clock. */
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
  /** Devices whose events it gets, and since when they are surely these. */
  devices: readonly string[]
  devicesFrom: number
  /** All that it may have got events of. */
  mayGet: Set<string>
  /** How many changes were asked for, and how many of them are answered. */
  asked: number
  answered: number
  chain: Chain
}

/** What a client knows about a subscription's events over all its streams. */
export interface Chain {
  lastId: string | undefined
  lastSequence: number
  /** From this tick on every acknowledged event reaches it. */
  from: number
  seen: Set<number>
  /** By device: the latest call of an event that has come. */
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

/** What clients know about a world until its next reset. */
export class WorldModel {
  readonly name: string
  readonly requests: Request[] = []
  readonly tokens: Token[] = []
  readonly subscriptions: Subscription[] = []
  readonly emissions = new Map<number, Emission>()
  readonly purchases: Purchase[] = []
  readonly serviceTokens: ServiceToken[] = []
  /** Requests that were cancelled by e-mail, maybe before their clients knew of them. */
  readonly doubted = new Set<string>()
  /** How far the world's clock may be before real time. */
  ahead = 0
  /** Whether its clock was moved, which makes the expiry of tokens unknown. */
  wasMoved = false
  /** Whether it may have been set back: then a cancellation may lie ahead of it. */
  wasSetBack = false
  /** Something that excuses a gap in a stream happened last at this tick. */
  gapCause = 0
  /** What it was forked from, with requests from before that was known, until its first read. */
  readonly parents: WorldModel[] = []

  constructor(name: string) {
    this.name = name
  }

  find(srid: string): Request | undefined {
    return this.requests.find((each) => each.srid === srid)
  }

  /** Returns the start of a fork. */
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

/** A world as clients know it. */
export interface WorldState {
  name: string
  span: Span
  model: WorldModel
  /** What it may be instead, during a reset or after a lost response to one. */
  others: WorldModel[]
  /** The number of certain or possible resets. */
  epoch: number
  /** Its content is unknown until the next audit. */
  isUnknown: boolean
  /** The time of the last reset, which ended earlier streams. */
  remadeAt: number
  /** The state that a reset of a fork restores, or undefined when unknown. */
  origin: WorldModel | undefined
  isOriginUnknown: boolean
}
