import type { EventEnvelope } from '#contract/records/events/platform-event.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import type { SpanReference } from './tracing.ts'

/** Carries whom the event concerns, so that subscribers are found without a query. */
export interface PlatformEvent {
  envelope: EventEnvelope
  locationId: string
  deviceId: string
  /** Installed apps may use the device; each comes from an app. */
  installedAppIds: readonly string[]
  appIds: readonly string[]
  /** Frames on every instance link to the span of the call that caused the event. */
  cause?: SpanReference
}

export interface PublishedEvent extends PlatformEvent {
  /** Grows with every event of a world, also over restarts. */
  sequence: number
}

/** Live streams must learn of these, wherever they happened. */
export type Notice =
  | { kind: 'subscription-changed'; subscription: Subscription }
  | { kind: 'subscription-deleted'; subscriptionId: string }
  | { kind: 'token-ended'; tokenDigest: string }
  /** Streams of the subscription with an older generation give way. */
  | { kind: 'stream-taken'; subscriptionId: string; generation: number }
  /** An instance that was cut off ends its own streams. */
  | { kind: 'claims-over' }
  /** Every instance plays it, so that one that dies stops nothing. */
  | { kind: 'scenario-started'; scenarioId: string }

/** A transaction emits messages; listeners hear those of committed transactions only. */
export type Message = { event: PlatformEvent } | { notice: Notice }

/**
 * Events and notices reach every part and instance in one order. Recent events are stored, so a stream resumes on any
 * instance, and a token has one stream over all of them.
 */
export interface Bus {
  /** The returned function ends it. */
  listen(listener: BusListener): () => void
  /** Listeners of this instance have received every event up to this sequence. */
  head(): number
  history(after: number): Promise<History>

  findClaim(by: { subscriptionId: string } | { tokenDigest: string }): Promise<StreamClaim | undefined>
  /**
   * Takes the slot of an older stream of the subscription, if there is one, and announces that. A claim holds until it
   * is released or taken over, or its instance is gone.
   */
  claim(claim: StreamClaim): Promise<'granted' | 'token-in-use' | 'newer-stream'>
  release(claim: StreamClaim): Promise<void>

  /** True on one living instance only, which then does the task. */
  isLeader(task: string): Promise<boolean>

  ping(): Promise<void>
  close(): Promise<void>
}

export interface BusListener {
  onEvent(event: PublishedEvent): void
  onNotice(notice: Notice): void
}

export interface History {
  /** Events after the sequence, in order. */
  events: readonly PublishedEvent[]
  /** False when older events are forgotten. */
  complete: boolean
}

export interface StreamClaim {
  subscriptionId: string
  /** A token has one stream at a time. */
  tokenDigest: string
  generation: number
}
