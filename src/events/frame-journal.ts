import type { Ports, PublishedEvent } from '../ports.ts'
import type { JournalEntry } from '../schemas/control/journal.ts'
import type { Subscription } from '../schemas/events/subscription.ts'
import { type EventFrame, endsOf, frameOf, writeFrame } from './frames.ts'
import type { LiveStream } from './live-stream.ts'

/** More readers of one event than so many would push everything else out of the journal. */
const JOURNALED_READERS = 20

/** What an entry holds without its data, in bytes. */
const WEIGHT = 1000

/** Keeps an event's frames in the journal; they are drawn when somebody reads them. */
export function recordFrames(
  { journal }: Pick<Ports, 'journal'>,
  streams: readonly LiveStream[],
  { event, body }: EventFrame,
): void {
  for (let i = 0; i < streams.length && i < JOURNALED_READERS; i++) {
    journal.record(drawLater(streams[i]!.subscription, event), WEIGHT + body.length)
  }
}

/** Holds on to the event and the subscription alone: a journal keeps thousands of these. */
function drawLater(subscription: Subscription, event: PublishedEvent): (id: number) => JournalEntry {
  return (id) => {
    const { subscriptionId, generation, user } = subscription
    const { sequence, envelope } = event
    const text = writeFrame(frameOf(event), endsOf(subscription))
    return {
      id,
      kind: 'frame',
      at: new Date(envelope.eventTime).toISOString(),
      operation: 'stream',
      caller: user,
      frame: {
        subscriptionId,
        event: envelope.eventType,
        id: `${generation}-${sequence}`,
        data: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null'),
      },
    }
  }
}
