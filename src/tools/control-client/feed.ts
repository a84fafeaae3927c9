import { bounds } from './answers.ts'
import type { FeedMessage } from './replies.ts'

/** Server-sent events of the control API's feed, which writes one `data` line a message. */
export async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<FeedMessage, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + decoder.decode(part.value, { stream: true })).split('\n\n')
      text = blocks.pop()!
      if (text.length > bounds.bytes) throw new TypeError('a message of the feed does not end')
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? []
        if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
