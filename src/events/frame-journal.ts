import type { Ports, PublishedEvent } from '../ports.ts'
import type { CaseFrame } from '../schemas/control/case.ts'
import type { ControlText, EventFrame } from './frames.ts'
import type { LiveStream } from './live-stream.ts'

/** More readers of one event than so many would push everything else out of the journal. */
const JOURNALED_READERS = 20

/** What an entry holds without its data, in bytes. */
const WEIGHT = 1000

/** Keeps an event's frames in the journal; they are written out when somebody reads them. */
export function recordFrames(
  { journal, recorder }: Ports,
  streams: readonly LiveStream[],
  { event, size }: EventFrame,
): void {
  if (recorder) for (const stream of streams) recorder.frame(toCaseFrame(stream, event))
  for (const { subscription, claim } of streams.slice(0, JOURNALED_READERS)) {
    // Holds on to the event and two texts alone: a journal keeps thousands of these.
    const { subscriptionId, user, name } = subscription
    const { generation } = claim
    journal.record({
      kind: 'frame',
      operation: 'stream',
      caller: user,
      at: event.envelope.eventTime,
      weight: WEIGHT + size,
      read: (id) => ({
        id,
        kind: 'frame',
        at: new Date(event.envelope.eventTime).toISOString(),
        operation: 'stream',
        caller: user,
        frame: {
          subscriptionId,
          event: event.envelope.eventType,
          id: `${generation}-${event.sequence}`,
          data: dataOf(event, name),
        },
      }),
    })
  }
}

/** Frames that were missed, for a case alone: the journal has had them. */
export function recordMissed({ recorder }: Ports, stream: LiveStream, events: readonly PublishedEvent[]): void {
  if (recorder) for (const event of events) recorder.frame(toCaseFrame(stream, event))
}

function toCaseFrame({ subscription, claim }: LiveStream, event: PublishedEvent): CaseFrame {
  const { subscriptionId, name } = subscription
  const id = `${claim.generation}-${event.sequence}`
  return { subscriptionId, event: event.envelope.eventType, id, data: dataOf(event, name) }
}

/** `id` is the frame's own, if it has one. */
export function recordControlFrame(
  { journal, clock, recorder }: Ports,
  { subscription }: LiveStream,
  { text, id: frameId }: { text: ControlText; id?: string | undefined },
): void {
  const { subscriptionId, user } = subscription
  const now = clock.now()
  const at = new Date(now).toISOString()
  const frame = { subscriptionId, event: 'CONTROL_EVENT', ...(frameId !== undefined && { id: frameId }), data: text }
  recorder?.frame(frame)
  const kept = { kind: 'frame', operation: 'stream', caller: user } as const
  journal.record({ ...kept, at: now, weight: WEIGHT, read: (id) => ({ id, ...kept, at, frame }) })
}

function dataOf({ envelope }: PublishedEvent, subscriptionName: string): unknown {
  if (envelope.eventType !== 'DEVICE_EVENT') return envelope
  return { ...envelope, deviceEvent: { ...envelope.deviceEvent, subscriptionName } }
}
