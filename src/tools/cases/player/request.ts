import { passingCallHeaders, serverHeaders } from '#contract/files/passing-headers.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import { FrameQueue } from '../frame-queue.ts'

/** Sends a call: undici in Node, `fetch` in browsers. */
export type Request = (call: HttpRequest) => Promise<ReceivedResponse>

/** A call whose connection breaks before an answer has no status; one that breaks in the body is cut. */
export interface ReceivedResponse extends HttpResponse {
  /** The reply did not come, or did not end, within its time. */
  late?: boolean
  /** The reply was larger than is read. */
  large?: boolean
  /** The frames of an event stream, whose body is empty here. */
  stream?: EventStream
}

export interface EventStream {
  frames: FrameQueue
  close(): void
}

/** `fill` puts values in the place of placeholders. */
export function fillCall(call: HttpRequest, fill: (text: string) => string): HttpRequest {
  const { path, headers, body } = call
  const filled = Object.entries(headers).map(([name, value]) => {
    return [name, typeof value === 'string' ? fill(value) : value.map(fill)]
  })
  const sent = typeof body === 'object' && 'text' in body ? { ...body, text: fill(body.text) } : body
  return {
    ...call,
    path: fill(path),
    headers: Object.fromEntries(filled),
    ...(sent !== undefined && { body: typeof sent === 'string' ? fill(sent) : sent }),
  }
}

/** Another server has another name, and calls of its own connection. */
export function withoutPassing(call: HttpRequest): HttpRequest {
  const headers = Object.entries(call.headers).filter(
    ([name]) => !serverHeaders.has(name) && !passingCallHeaders.has(name),
  )
  return { ...call, headers: Object.fromEntries(headers) }
}

export function isEventStream(headers: HttpResponse['headers']): boolean {
  return String(headers?.['content-type']).startsWith('text/event-stream')
}

/** `close` must end `body`. */
export function readEvents(body: AsyncIterable<Uint8Array>, close: () => void): EventStream {
  const frames = new FrameQueue()
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const chunk of body) frames.push(decoder.decode(chunk, { stream: true }))
  }
  void read()
    .catch(() => {})
    .finally(() => frames.end())
  return { frames, close }
}

/** A call whose body was dropped cannot be sent again. */
export function lacksBody({ body }: HttpRequest): boolean {
  return typeof body === 'object' && 'dropped' in body
}
