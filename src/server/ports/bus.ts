import type { EventEnvelope } from '../../contract/records/events/platform-event.ts'
import type { Subscription } from '../../contract/records/events/subscription.ts'
import type { SpanReference } from './tracing.ts'

/** Something that happened on a device, and whom it concerns. */
export interface PlatformEvent {
  envelope: EventEnvelope
  locationId: string
  deviceId: string
  /** Installed apps that may use the device, and the apps they are installed from. */
  installedAppIds: readonly string[]
  appIds: readonly string[]
  /** The span of the call that made it happen, if that has one: on every instance frames link to it. */
  cause?: SpanReference
}

export interface PublishedEvent extends PlatformEvent {
  /** Grows with every event of a world, over restarts too. */
  sequence: number
}

/** Notices that live streams must learn of, wherever they happened. */
export type Notice =
  | { kind: 'subscription-changed'; subscription: Subscription }
  | { kind: 'subscription-deleted'; subscriptionId: string }
  | { kind: 'token-ended'; tokenDigest: string }
  /** Streams of the subscription with an older generation give way. */
  | { kind: 'stream-taken'; subscriptionId: string; generation: number }
  /** Told to itself by an instance that was cut off, or has missed something: its streams end. */
  | { kind: 'claims-over' }
  /** Every instance plays it, so that one that dies stops nothing. */
  | { kind: 'scenario-started'; scenarioId: string }

/**
 * Carries a world's events and notices to every part and every instance of the server, in one order; keeps the recent
 * events, so that a stream resumes on any instance; and knows which subscription is streamed, so that one token holds
 * one stream over all of them.
 */
export interface Bus {
  /** Resolves when the event has its sequence and is in the history. */
  publish(event: PlatformEvent): Promise<void>
  announce(notice: Notice): Promise<void>
  /** The returned function ends it. */
  listen(listener: BusListener): () => void
  /** Sequence of the event that listeners of this instance got last. */
  head(): number
  history(after: number): Promise<History>

  findClaim(by: { subscriptionId: string } | { tokenDigest: string }): Promise<StreamClaim | undefined>
  /**
   * Takes the place of a subscription and of a token, from an older stream of the same subscription if there is one.
   * A claim holds until it is released, taken over, or its instance is gone.
   */
  claim(claim: StreamClaim): Promise<'granted' | 'token-in-use' | 'newer-stream'>
  release(claim: StreamClaim): Promise<void>

  /** Whether this instance, of all that live, is the one to do a task of the world's that must be done once. */
  isLeader(task: string): Promise<boolean>
  /** Does `work` while no other instance does the same task; rejects with Unavailable when one is long about it. */
  withLock(task: string, work: () => Promise<void>): Promise<void>

  ping(): Promise<void>
  close(): Promise<void>
}

export interface BusListener {
  onEvent(event: PublishedEvent): void
  onNotice(notice: Notice): void
}

export interface History {
  /** Those after the sequence asked for, in order. */
  events: readonly PublishedEvent[]
  /** Whether these are all there were: older ones are forgotten. */
  complete: boolean
}

export interface StreamClaim {
  subscriptionId: string
  /** The token that the stream counts for: it has one at a time. */
  tokenDigest: string
  generation: number
}
