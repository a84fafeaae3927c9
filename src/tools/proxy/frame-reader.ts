import { createParser } from 'eventsource-parser'
import { readFrameData } from '#contract/files/frame-data.ts'

/** A frame of an event stream. */
export interface Frame {
  event: string
  id?: string
  data: unknown
}

/** An event without an end would grow for ever: one that is longer is passed over. */
const LONGEST_EVENT = 4 * 1024 * 1024

export function isEventStream(method: string | undefined, contentType: unknown): boolean {
  return method !== 'HEAD' && /^text\/event-stream/i.test(String(contentType))
}

export function createFrameReader(onFrame: (frame: Frame) => void): (bytes: Buffer) => void {
  const decoder = new TextDecoder()
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent({ event = 'message', id, data }) {
      onFrame({ event, ...(id !== undefined && { id }), data: readFrameData(event, data) })
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') parser.reset()
    },
  })
  return (bytes) => parser.feed(decoder.decode(bytes, { stream: true }))
}
