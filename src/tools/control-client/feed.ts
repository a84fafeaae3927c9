import { createParser } from 'eventsource-parser'
import type { FeedMessage } from './types.ts'

/** An event without an end comes from a stranger, so its size is bounded. */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  { bytes }: { bytes: number },
): AsyncGenerator<FeedMessage, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const messages: FeedMessage[] = []
  const parser = createParser({
    maxBufferSize: bytes,
    onEvent: ({ event, data }) => event !== undefined && messages.push({ event, data: JSON.parse(data) }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new TypeError('a message of the feed does not end')
    },
  })
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }))
      yield* messages.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
