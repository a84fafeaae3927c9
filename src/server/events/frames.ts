import type { PublishedEvent } from '../ports/bus.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'

/** All streams share `head` and `tail`; each stream's own text stands between them. */
export interface EventFrame {
  readonly event: PublishedEvent
  readonly head: string
  readonly tail: string
  readonly size: number
}

/** Only device events carry the subscription's name. */
export interface FrameMiddle {
  readonly named: string
  readonly plain: string
}

/** An event is written once for all streams. `id:` is last, so a client that is cut off before it has seen no event. */
export function toFrame(event: PublishedEvent): EventFrame {
  const { sequence, envelope } = event
  // The event is the last field of the envelope, and the name the last field of the event, so text can be put in
  // between.
  const head = `event: ${envelope.eventType}\ndata: ${toLine(envelope).slice(0, -2)}`
  const tail = `${sequence}\n\n`
  return { event, head, tail, size: Buffer.byteLength(head) + tail.length }
}

export function toFrameMiddle({ name }: Subscription, generation: number): FrameMiddle {
  const plain = `}}\nid: ${generation}-`
  return { named: `,"subscriptionName":${toLine(name)}${plain}`, plain }
}

export function writeFrame({ event, head, tail }: EventFrame, { named, plain }: FrameMiddle): string {
  return head + (event.envelope.eventType === 'DEVICE_EVENT' ? named : plain) + tail
}

/** Some readers cut lines at separators that are no line ends of SSE, so these are escaped. */
function toLine(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, (separator) => escapes[separator]!)
}

const escapes: Readonly<Record<string, string>> = { '\u0085': '\\u0085', '\u2028': '\\u2028', '\u2029': '\\u2029' }

/** Document 2, section 6: the data of a control event is bare text. */
export function writeControlFrame(text: ControlText, id?: string): string {
  return `event: CONTROL_EVENT\ndata: ${text}\n${id === undefined ? '' : `id: ${id}\n`}\n`
}

/** Document 2, section 6, shows `welcome`; the others are our choice. */
export type ControlText = 'welcome' | 'gap' | 'goodbye'

/** Our choice: once after connecting, in milliseconds; a client that was cut off waits so long. */
export function writeRetry(ms: number): string {
  return `retry: ${ms}\n`
}
