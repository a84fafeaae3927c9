import type { Client, Dispatcher } from 'undici'
import type { CaseFrame, CaseReply } from '../schemas/control/case.ts'
import { toHeaders } from './case-calls.ts'

type Frame = Omit<CaseFrame, 'subscriptionId'>

/** Reads one event stream, over a connection of its own. */
export class EventReader {
  readonly #client: Client
  readonly #frames: Frame[] = []
  #rest = ''
  #hasEnded = false
  #wake = () => {}

  constructor(client: Client) {
    this.#client = client
  }

  /** The reply; with a body where it is no stream. */
  async open(options: Dispatcher.RequestOptions): Promise<CaseReply> {
    const { statusCode: status, headers, body } = await this.#client.request(options)
    const reply = { status, headers: toHeaders(headers) }
    if (headers['content-type'] !== 'text/event-stream') {
      const text = await body.text()
      this.close()
      return { ...reply, body: text }
    }
    const end = () => {
      this.#hasEnded = true
      this.#wake()
    }
    body.setEncoding('utf8')
    body
      .on('data', (chunk: string) => this.#take(chunk))
      .once('end', end)
      .once('error', end)
      .once('close', end)
    return reply
  }

  /** The next frame, waited for so many milliseconds; nothing when none comes. */
  async next(withinMs: number): Promise<Frame | undefined> {
    if (this.#frames.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return this.#frames.shift()
  }

  /** What came and was not taken yet. */
  takeAll(): Frame[] {
    return this.#frames.splice(0)
  }

  close(): void {
    void this.#client.destroy()
  }

  #take(chunk: string): void {
    const blocks = (this.#rest + chunk).split('\n\n')
    this.#rest = blocks.pop()!
    for (const block of blocks) {
      const frame = toFrame(block)
      if (frame) this.#frames.push(frame)
    }
    if (this.#frames.length > 0) this.#wake()
  }
}

/** Heartbeats are no frames. */
function toFrame(block: string): Frame | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2))
  }
  const [event, id, data = ''] = [fields.get('event'), fields.get('id'), fields.get('data')]
  if (event === undefined) return undefined
  return {
    event,
    ...(id !== undefined && { id }),
    data: event === 'CONTROL_EVENT' ? data : (JSON.parse(data) as unknown),
  }
}
