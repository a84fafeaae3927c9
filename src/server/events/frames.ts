import type { PublishedEvent } from '../ports/bus.ts'
import type { Subscription } from '#contract/records/events/subscription.ts'

/** The text of a frame before and after the part that depends on the stream. It is the same for all streams. */
export interface EventFrame {
  readonly event: PublishedEvent
  readonly head: string
  readonly tail: string
  readonly size: number
}

/** The part of a frame that depends on the stream. Only device events contain the name of the subscription. */
export interface FrameMiddle {
  readonly named: string
  readonly plain: string
}

/** `id:` is the last line, so that a client that receives only a part of the event does not remember its ID. */
export function toFrame(event: PublishedEvent): EventFrame {
  const { sequence, envelope } = event
  // The subscription name is the last field of the event, which is the last field of the envelope.
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

/** Some clients treat these separators as line endings, although the SSE standard does not. */
function toLine(value: unknown): string {
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, (separator) => escapes[separator]!)
}

const escapes: Readonly<Record<string, string>> = { '\u0085': '\\u0085', '\u2028': '\\u2028', '\u2029': '\\u2029' }

/** Document 2, section 6: the data of a control event is plain text. */
export function writeControlFrame(text: ControlText, id?: string): string {
  return `event: CONTROL_EVENT\ndata: ${text}\n${id === undefined ? '' : `id: ${id}\n`}\n`
}

/** Document 2, section 6, shows only `welcome`. The other texts are choices of vendor-cloud. */
export type ControlText = 'welcome' | 'gap' | 'goodbye'

export function writeRetry(ms: number): string {
  return `retry: ${ms}\n`
}
