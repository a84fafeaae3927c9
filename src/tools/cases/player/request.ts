import { passingCallHeaders, serverHeaders } from '#contract/files/passing-headers.ts'
import type { HttpRequest, HttpResponse } from '#contract/exchange.ts'
import { FrameQueue } from '../frame-queue.ts'

/** Sends a request with undici in Node, and with `fetch` in browsers. */
export type Request = (call: HttpRequest) => Promise<ReceivedResponse>

/** Has no status if the connection breaks before the response. Is marked as cut off if it breaks in the body. */
export interface ReceivedResponse extends HttpResponse {
  /** True if the response did not start or did not end in time. */
  late?: boolean
  large?: boolean
  /** Frames of an event stream. The body is empty in this case. */
  stream?: EventStream
}

export interface EventStream {
  frames: FrameQueue
  close(): void
}

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

/** Removes headers that belong to the recorded server or connection. */
export function withoutPassing(call: HttpRequest): HttpRequest {
  const headers = Object.entries(call.headers).filter(
    ([name]) => !serverHeaders.has(name) && !passingCallHeaders.has(name),
  )
  return { ...call, headers: Object.fromEntries(headers) }
}

export function isEventStream(headers: HttpResponse['headers']): boolean {
  return String(headers?.['content-type']).startsWith('text/event-stream')
}

/** Calling `close` must end the `body` stream. */
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

export function lacksBody({ body }: HttpRequest): boolean {
  return typeof body === 'object' && 'dropped' in body
}
