import { createParser } from 'eventsource-parser'
import type { ControlEvent, DeviceEvent, DeviceHealthEvent, DeviceLifecycleEvent } from 'vendor-cloud/types'
import { parseJson, Refusal, type Wire } from './wire.ts'

/** A `gap` event means that events are missing, so the client must read the state of the devices again. */
export type StreamEvent = { id?: string } & (
  | { name: 'CONTROL_EVENT'; data: ControlEvent }
  | { name: 'DEVICE_EVENT'; data: DeviceEvent }
  | { name: 'DEVICE_LIFECYCLE_EVENT'; data: DeviceLifecycleEvent }
  | { name: 'DEVICE_HEALTH_EVENT'; data: DeviceHealthEvent }
)

/** The server responded with 204, because a newer connection has taken over the stream. */
export class Taken extends Error {}

interface Connecting {
  /** An empty string before the first event. */
  lastId: string
  /** Milliseconds without data after which the client treats the connection as dead. */
  patience: number
  onRetry(ms: number): void
}

const names = new Set(['CONTROL_EVENT', 'DEVICE_EVENT', 'DEVICE_LIFECYCLE_EVENT', 'DEVICE_HEALTH_EVENT'])

export async function* connect(
  { fetch: call = globalThis.fetch, signal }: Wire,
  address: string,
  { lastId, patience, onRetry }: Connecting,
): AsyncGenerator<StreamEvent, void> {
  const own = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = <T>(next: Promise<T>): Promise<T> => {
    timer = setTimeout(() => own.abort(), patience)
    return next.finally(() => clearTimeout(timer))
  }
  const either = signal ? AbortSignal.any([signal, own.signal]) : own.signal
  const headers = { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) }
  try {
    const reply = await watch(call(address, { headers, signal: either }))
    if (reply.status === 204) throw new Taken()
    if (reply.status !== 200 || !reply.body) {
      await reply.body?.cancel()
      throw new Refusal(reply, [], `the stream: ${reply.status}`)
    }
    const parse = createEventParser(onRetry)
    const reader = reply.body.getReader()
    for (let next = await watch(reader.read()); !next.done; next = await watch(reader.read())) {
      for (const event of parse(next.value)) if (names.has(event.name)) yield read(event)
    }
  } finally {
    own.abort()
  }
}

function read(event: RawEvent): StreamEvent {
  return { ...event, data: event.name === 'CONTROL_EVENT' ? event.data : parseJson(event.data) } as StreamEvent
}

export interface RawEvent {
  name: string
  data: string
  id?: string
}

/**
 * HTML Standard, section 9.2.6: chunks may be split at any byte. An event that is incomplete when the stream ends is
 * discarded together with its ID.
 */
export function createEventParser(onRetry: (ms: number) => void): (piece: Uint8Array) => RawEvent[] {
  // Removes a byte order mark at the start, and joins characters that are split between chunks.
  const decoder = new TextDecoder()
  const events: RawEvent[] = []
  const parser = createParser({
    onRetry,
    onEvent: ({ event: name = 'message', data, id }) => events.push({ name, data, ...(id !== undefined && { id }) }),
  })
  let isAfterCr = false
  return (piece) => {
    let text = decoder.decode(piece, { stream: true })
    if (text === '') return []
    // CR ends a line immediately, so an LF at the start of the next chunk does not end another one.
    if (isAfterCr && text.startsWith('\n')) text = text.slice(1)
    isAfterCr = text.endsWith('\r')
    parser.feed(text.replace(/\r\n?/g, '\n'))
    return events.splice(0)
  }
}
