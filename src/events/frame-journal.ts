import type { Ports } from '../ports.ts'
import type { JournalEntry } from '../schemas/journal.ts'
import { type EventFrame, writeFrame } from './frames.ts'
import type { LiveStream } from './live-stream.ts'

/** More readers of one event than so many would push everything else out of the journal. */
const JOURNALED_READERS = 20

/** What an entry holds without its data, in bytes. */
const WEIGHT = 1000

/** Keeps an event's frames in the journal; they are drawn when somebody reads them. */
export function recordFrames(
  { journal }: Pick<Ports, 'journal'>,
  streams: readonly LiveStream[],
  frame: EventFrame,
): void {
  for (const { subscription, ends } of streams.slice(0, JOURNALED_READERS)) {
    const { subscriptionId, generation, user } = subscription
    const { sequence, envelope } = frame.event
    const at = new Date(envelope.eventTime).toISOString()
    const draw = (id: number): JournalEntry => ({
      id,
      kind: 'frame',
      at,
      operation: 'stream',
      caller: user,
      frame: {
        subscriptionId,
        event: envelope.eventType,
        id: `${generation}-${sequence}`,
        data: JSON.parse(/^data: (.*)$/m.exec(writeFrame(frame, ends))?.[1] ?? 'null'),
      },
    })
    journal.record(draw, WEIGHT + frame.body.length)
  }
}
