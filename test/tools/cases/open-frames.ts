import { type IncomingMessage, request } from 'node:http'

interface Frame {
  event: string
  id: string | undefined
}

/** Opens a stream and collects its frames. Scripts use this function too, so it must not depend on a test runner. */
export async function openFrames(url: string, headers: Record<string, string> = {}) {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, agent: false }).once('response', resolve).once('error', reject).end()
  })
  let text = ''
  let taken = 0
  let wake = () => {}
  reply
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      text += chunk
      wake()
    })
    .on('error', () => {})
  const frames = (): Frame[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .flatMap((block) => {
        const event = /^event: (.*)$/m.exec(block)?.[1]
        return event === undefined ? [] : [{ event, id: /^id: (.*)$/m.exec(block)?.[1] }]
      })
  return {
    async take(count: number): Promise<Frame[]> {
      while (frames().length < taken + count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      taken += count
      return frames().slice(taken - count, taken)
    },
    async cut(): Promise<void> {
      const closed = new Promise((resolve) => reply.once('close', resolve))
      reply.destroy()
      await closed
    },
  }
}
