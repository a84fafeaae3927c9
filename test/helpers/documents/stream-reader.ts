import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

/** One block of a stream. Blocks are separated by blank lines. */
export interface Block {
  text: string
  event: string | undefined
  id: string | undefined
  /** Plain text for control events, and parsed JSON for all other events. */
  data: unknown
}

/** Reads the raw bytes, because an EventSource would hide some of them. */
export class StreamReader {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly blocks: Block[] = []
  readonly ended: Promise<'end' | 'cut'>
  /** Start position of each chunk, which shows how the server split its writes. */
  readonly chunks: { from: number }[] = []
  text = ''
  readonly #reply: IncomingMessage
  #read = 0
  #rest = ''
  #wake = () => {}

  constructor(reply: IncomingMessage) {
    this.#reply = reply
    this.status = reply.statusCode!
    this.headers = reply.headers
    reply.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk))
    this.ended = new Promise((resolve) => {
      reply.once('end', () => resolve('end')).once('error', () => resolve('cut'))
    })
    void this.ended.then(() => this.#wake())
  }

  leave(): void {
    this.#reply.destroy()
  }

  /** Skips heartbeats. Returns undefined when the stream has ended. */
  async next(): Promise<Block | undefined> {
    for (;;) {
      while (this.#read < this.blocks.length) {
        const block = this.blocks[this.#read++]!
        if (block.event !== undefined) return block
      }
      if (this.#reply.readableEnded || this.#reply.destroyed) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async until(part: string): Promise<void> {
    while (!this.text.includes(part)) {
      if (this.#reply.readableEnded || this.#reply.destroyed) throw new Error(`ended before ${part} came: ${this.text}`)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async take(count: number): Promise<Block[]> {
    const blocks: Block[] = []
    while (blocks.length < count) blocks.push((await this.next())!)
    return blocks
  }

  /** Resets the connection, as if the network had failed. */
  cut(): void {
    this.#reply.socket.resetAndDestroy()
  }

  stall(): void {
    this.#reply.pause()
  }

  resume(): void {
    this.#reply.resume()
  }

  #take(chunk: string): void {
    this.chunks.push({ from: this.text.length })
    this.text += chunk
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop()!
    this.blocks.push(...blocks.map(toBlock))
    this.#wake()
  }
}

export function valueIn({ data }: Block): unknown {
  return (data as { deviceEvent: { value: unknown } }).deviceEvent.value
}

/** Opens a stream on a separate connection. */
export function openStream(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<StreamReader> {
  const sent: ClientRequest = request(url, { method, headers, agent: false })
  onTestFinished(() => void sent.destroy())
  return new Promise((resolve, reject) => {
    sent.once('response', (reply) => resolve(new StreamReader(reply))).on('error', reject)
    sent.end()
  })
}

function toBlock(text: string): Block {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? []
    if (name) fields.set(name, value!)
  }
  const [event, data] = [fields.get('event'), fields.get('data')]
  const parsed = data === undefined || event === 'CONTROL_EVENT' ? data : (JSON.parse(data) as unknown)
  return { text, event, id: fields.get('id'), data: parsed }
}
