import { createParser } from 'eventsource-parser'
import type { FeedMessage } from './types.ts'

/**
 * Limits the size of an event, because a server may send an endless event. Cancels the body itself when `signal` is
 * aborted: in Node 20, a `fetch` loses its signal if garbage is collected after the response has started.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  { bytes, signal }: { bytes: number; signal?: AbortSignal | undefined },
): AsyncGenerator<FeedMessage, void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel)
  const decoder = new TextDecoder()
  const messages: FeedMessage[] = []
  const parser = createParser({
    maxBufferSize: bytes,
    onEvent: ({ event, data }) => event !== undefined && messages.push({ event, data: JSON.parse(data) }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new TypeError('a message in the feed is too large')
    },
  })
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }))
      yield* messages.splice(0)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    await reader.cancel().catch(() => {})
  }
}
