import type { FastifyRequest } from 'fastify'
import type { Ports } from '../ports.ts'
import type { PublishedEvent } from '../ports/bus.ts'
import type { LiveStream, StreamTrace } from './live-stream.ts'

/** Frames belong to the trace of the request that opened their stream. */
export function traceOf({ notes, server }: FastifyRequest): StreamTrace | undefined {
  const { traceId, span } = notes
  return traceId === undefined ? undefined : { traceId, span: span?.reference, tracing: span && server.tracing }
}

export function traceFrame(
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

/** Missed frames are sent in the stream's trace, and link to the spans of their causes. */
export function traceMissed(ports: Ports, stream: LiveStream, events: readonly PublishedEvent[]): void {
  for (const event of events) traceFrame(ports, stream, event)
}
