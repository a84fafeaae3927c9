import { toJsonLine } from '../http/connection/sse.ts'
import type { PublishedEvent } from '../ports.ts'
import type { Subscription } from '../schemas/events/subscription.ts'

/** An event as all streams send it, but for what is each subscription's own: the start of its id, and its name. */
export interface EventFrame {
  readonly event: PublishedEvent
  /** From the id's sequence on, as far as all have it in common. */
  readonly body: string
  /** Only device events carry the subscription's name. */
  readonly isNamed: boolean
}

/** What surrounds a frame's body on one stream. */
export interface FrameEnds {
  readonly head: string
  readonly named: string
}

const PLAIN_TAIL = '}}\n\n'
/** The newest frames: streams that resume ask for the same events. Of a size that is a power of two. */
const KEPT = 1024
const kept: (EventFrame | undefined)[] = Array.from({ length: KEPT })

/** Framed once, however many streams send it. */
export function frameOf(event: PublishedEvent): EventFrame {
  const place = event.sequence % KEPT
  const made = kept[place]
  if (made?.event === event) return made
  const frame = toFrame(event)
  kept[place] = frame
  return frame
}

function toFrame(event: PublishedEvent): EventFrame {
  const { sequence, envelope } = event
  // The last field of the envelope is the event itself, and the name is the last field of that.
  const open = toJsonLine(envelope).slice(0, -2)
  const body = `${sequence}\nevent: ${envelope.eventType}\ndata: ${open}`
  return { event, body, isNamed: envelope.eventType === 'DEVICE_EVENT' }
}

export function endsOf({ name, generation }: Subscription): FrameEnds {
  return { head: `id: ${generation}-`, named: `,"subscriptionName":${toJsonLine(name)}${PLAIN_TAIL}` }
}

export function writeFrame({ body, isNamed }: EventFrame, { head, named }: FrameEnds): string {
  return head + body + (isNamed ? named : PLAIN_TAIL)
}

/** Document 2, section 6: its data is bare text. */
export function writeControlFrame(text: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: CONTROL_EVENT\ndata: ${text}\n\n`
}

/** Our choice: once after connecting, in milliseconds; a client that was cut off waits so long. */
export const RETRY = 'retry: 3000\n'
