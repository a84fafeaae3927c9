import { createParser } from 'eventsource-parser'
import type { ControlEvent, DeviceEvent, DeviceHealthEvent, DeviceLifecycleEvent } from 'vendor-cloud/types'
import { parseJson, Refusal, type Wire } from './wire.ts'

/** A `gap` means that events are missing, so the state must be read again. */
export type StreamEvent = { id?: string } & (
  | { name: 'CONTROL_EVENT'; data: ControlEvent }
  | { name: 'DEVICE_EVENT'; data: DeviceEvent }
  | { name: 'DEVICE_LIFECYCLE_EVENT'; data: DeviceLifecycleEvent }
  | { name: 'DEVICE_HEALTH_EVENT'; data: DeviceHealthEvent }
)

/** 204 means that a newer connection has the stream. */
export class Taken extends Error {}

interface Connecting {
  /** Empty before the first event. */
  lastId: string
  /** Milliseconds without a byte after which a connection counts as dead. */
  patience: number
  onRetry(ms: number): void
}

const names = new Set(['CONTROL_EVENT', 'DEVICE_EVENT', 'DEVICE_LIFECYCLE_EVENT', 'DEVICE_HEALTH_EVENT'])

/** Ends with the stream, or when nothing comes for too long. */
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
 * HTML Standard, section 9.2.6: pieces may end anywhere, and an event that is incomplete when the stream ends never
 * was, its id included.
 */
export function createEventParser(onRetry: (ms: number) => void): (piece: Uint8Array) => RawEvent[] {
  // A byte order mark at the beginning is dropped, and a character may come in pieces.
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
    // CR ends its line immediately, so an LF at the start of the next chunk ends none.
    if (isAfterCr && text.startsWith('\n')) text = text.slice(1)
    isAfterCr = text.endsWith('\r')
    parser.feed(text.replace(/\r\n?/g, '\n'))
    return events.splice(0)
  }
}
