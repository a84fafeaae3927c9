import { expect, test } from 'vitest'
import { FrameQueue } from '../../../src/tools/cases/frame-queue.ts'
import { readMessages } from '../../../src/tools/client/feed.ts'

test.each([
  ['in sequence', 'event: a\ndata: {"n":1}\n\nevent: b\ndata: {"n":2}\n\n'],
  [
    'with CRLF line ends, comments and no spaces',
    ':hello\r\nevent:a\r\ndata:{"n":1}\r\n\r\nevent:b\r\ndata:{"n":2}\r\n\r\n',
  ],
  ['with data on several lines', 'data: {"n":\ndata: 1}\nevent: a\n\nevent: b\nid: 7\ndata: {"n":2}\n\n'],
])('messages %s are parsed correctly, however the bytes are split into chunks', async (_, text) => {
  for (const size of [1, 5, text.length]) {
    const messages = await readAll(text, size)
    expect(messages).toEqual([
      { event: 'a', data: { n: 1 } },
      { event: 'b', data: { n: 2 } },
    ])
  }
})

test.each([
  ['line', 'event: a\ndata: '],
  ['message', 'data: many\n'.repeat(20)],
])('a %s that does not end causes an error at the size limit', async (_, text) => {
  const endless = text + 'x'.repeat(200)
  await expect(readAll(endless, 50)).rejects.toThrow('is too large')

  const frames = new FrameQueue(100)
  for (let at = 0; at < endless.length; at += 50) frames.push(endless.slice(at, at + 50))
  expect(await frames.next(60_000)).toBeUndefined()
})

async function readAll(text: string, size: number): Promise<unknown[]> {
  const messages: unknown[] = []
  for await (const message of readMessages(streamOf(text, size), { bytes: 100 })) messages.push(message)
  return messages
}

function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
}
