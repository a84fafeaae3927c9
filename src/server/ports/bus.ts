import type { EventEnvelope } from '#contract/records/events/platform-event.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'
import type { SpanReference } from './tracing.ts'

/** An event together with the IDs by which filters select it, so that its subscribers are found without a query. */
export interface PlatformEvent {
  envelope: EventEnvelope
  locationId: string
  deviceId: string
  /** The installed apps that may use the device, and the apps of which they are instances. */
  installedAppIds: readonly string[]
  appIds: readonly string[]
  /** The span of the request that caused the event. On every instance, the spans of the event's frames link to it. */
  cause?: SpanReference
}

export interface PublishedEvent extends PlatformEvent {
  /** Increases with every event of a world, even after restarts. */
  sequence: number
}

/** Changes that affect live streams. Streams on all instances are notified, whichever instance makes the change. */
export type Notice =
  | { kind: 'subscription-changed'; subscription: Subscription }
  | { kind: 'subscription-deleted'; subscriptionId: string }
  | { kind: 'token-ended'; tokenDigest: string }
  /** Streams of the subscription that have an older generation must end. */
  | { kind: 'stream-taken'; subscriptionId: string; generation: number }
  /** An instance that lost its connection to the database must end its own streams. */
  | { kind: 'claims-over' }
  /** Every instance schedules the scenario, so that it continues if an instance stops. */
  | { kind: 'scenario-started'; scenarioId: string }

/** A message that a transaction emits. Listeners receive it only after the transaction has been committed. */
export type Message = { event: PlatformEvent } | { notice: Notice }

/** In the same order on all instances. Recent events are stored, so that streams can resume on any instance. */
export interface Bus {
  listen(listener: BusListener): () => void
  /** The listeners of this instance have received every event up to this sequence number. */
  head(): number
  history(after: number): Promise<History>

  findClaim(by: { subscriptionId: string } | { tokenDigest: string }): Promise<StreamClaim | undefined>
  /** Replaces an older stream of the subscription. Valid until released or taken over, or until the instance stops. */
  claim(claim: StreamClaim): Promise<'granted' | 'token-in-use' | 'newer-stream'>
  release(claim: StreamClaim): Promise<void>

  /** Returns true on exactly one live instance. That instance must run the task. */
  isLeader(task: string): Promise<boolean>

  ping(): Promise<void>
  close(): Promise<void>
}

export interface BusListener {
  onEvent(event: PublishedEvent): void
  onNotice(notice: Notice): void
}

export interface History {
  events: readonly PublishedEvent[]
  /** False if some of the missed events are no longer stored. */
  complete: boolean
}

export interface StreamClaim {
  subscriptionId: string
  tokenDigest: string
  generation: number
}
