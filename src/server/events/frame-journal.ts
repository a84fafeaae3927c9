import type { Ports } from '../ports.ts'
import type { PublishedEvent } from '../ports/bus.ts'
import { STREAM_END } from '#contract/records/control/journal.ts'
import type { CaseFrame } from '#contract/files/case.ts'
import type { ControlText, EventFrame } from './frames.ts'
import type { LiveStream, StreamTrace } from './live-stream.ts'
import type { FastifyRequest } from 'fastify'

/** Maximum number of journal entries for one event. */
const JOURNALED_READERS = 20
/** Approximate size of a journal entry in bytes, without its data. */
const WEIGHT = 1000

/** `streams` contains a stream twice if its client receives the frame twice. */
export function recordFrames(
  ports: Ports,
  streams: readonly LiveStream[],
  { event, size }: EventFrame,
  at = event.envelope.eventTime,
): void {
  const { recorder } = ports.state
  if (recorder) for (const stream of streams) recorder.frame(frameOf(stream, event)())
  for (const stream of streams.slice(0, JOURNALED_READERS)) {
    const id = recordFrame(ports, stream, at, size, frameOf(stream, event))
    traceFrame(ports, stream, event, id)
  }
  for (let i = JOURNALED_READERS; i < streams.length; i++) traceFrame(ports, streams[i]!, event)
}

export function recordControlFrame(ports: Ports, stream: LiveStream, text: ControlText, id?: string): void {
  const { subscriptionId } = stream.subscription
  const frame = { subscriptionId, event: 'CONTROL_EVENT', ...(id !== undefined && { id }), data: text }
  ports.state.recorder?.frame(frame)
  recordFrame(ports, stream, ports.clock.now(), 0, () => frame)
}

/** Adds the end to the journal only. It is not a frame that the client received, so cases do not contain it. */
export function recordEnd(ports: Ports, stream: LiveStream): void {
  const { subscriptionId, reason } = stream
  recordFrame(ports, stream, ports.clock.now(), 0, () => ({ subscriptionId, event: STREAM_END, data: reason }))
}

function recordFrame(
  { journal }: Ports,
  { subscription, trace }: LiveStream,
  at: number,
  size: number,
  read: () => CaseFrame,
): number {
  const traceId = trace?.traceId
  const kept = { kind: 'frame', operation: 'stream', caller: subscription.user, ...(trace && { traceId }) } as const
  return journal.record({
    ...kept,
    at,
    weight: WEIGHT + size,
    callerType: 'other',
    read: (id) => ({ id, ...kept, at: new Date(at).toISOString(), frame: read() }),
  })
}

/** The returned function must not refer to the stream, or the journal would keep the streams in memory. */
function frameOf({ subscription, claim }: LiveStream, { envelope, sequence }: PublishedEvent): () => CaseFrame {
  const { subscriptionId, name } = subscription
  const id = `${claim.generation}-${sequence}`
  return () => ({ subscriptionId, event: envelope.eventType, id, data: toDelivered(envelope, name) })
}

/** Document 2, section 2: a device event contains the name of its subscription. */
function toDelivered(envelope: PublishedEvent['envelope'], subscriptionName: string): unknown {
  if (envelope.eventType !== 'DEVICE_EVENT') return envelope
  return { ...envelope, deviceEvent: { ...envelope.deviceEvent, subscriptionName } }
}

/** Frames belong to the trace of the request that opened their stream. */
export function traceOf({ context, server }: FastifyRequest): StreamTrace | undefined {
  const { traceId, span } = context
  return traceId === undefined ? undefined : { traceId, span: span?.reference, tracing: span && server.tracing }
}

/** A span belongs to the trace of the stream, and links to the span that caused the event. */
function traceFrame(
  { world, clock }: Pick<Ports, 'world' | 'clock'>,
  { trace, claim, subscriptionId }: LiveStream,
  { envelope, sequence, cause }: PublishedEvent,
  journalId?: number,
): void {
  if (!trace?.tracing || !trace.span) return
  const { eventType } = envelope
  const span = trace.tracing.start({
    name: `send ${eventType}`,
    kind: 'producer',
    parent: trace.span,
    link: cause,
    attributes: {
      'vendor.world': world.name,
      'vendor.operation': 'stream',
      'vendor.clock': new Date(clock.now()).toISOString(),
      'vendor.event': eventType,
      'vendor.event_id': `${claim.generation}-${sequence}`,
      'vendor.subscription': subscriptionId,
      ...(journalId !== undefined && { 'vendor.journal_id': journalId }),
    },
  })
  span.end({}, false)
}
