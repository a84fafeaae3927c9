import type { Client, Dispatcher } from 'undici'
import { FrameQueue } from '../frame-queue.ts'
import type { CaseReply } from '../../../contract/records/control/case.ts'
import { isEventStream, toHeaders } from './case-calls.ts'

/** Reads one event stream, over a connection of its own. */
export class EventReader {
  readonly frames = new FrameQueue()
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** The reply; with a body where it is no stream. */
  async open(options: Dispatcher.RequestOptions): Promise<CaseReply> {
    const { statusCode: status, headers, body } = await this.#client.request(options)
    const reply = { status, headers: toHeaders(headers) }
    if (!isEventStream(reply.headers)) {
      const text = await body.text()
      this.close()
      return { ...reply, body: text }
    }
    const end = () => this.frames.end()
    // Letters of several bytes may come in two pieces; undici's setEncoding leaves what comes at once as bytes.
    const decoder = new TextDecoder()
    body
      .on('data', (chunk: Buffer) => this.frames.push(decoder.decode(chunk, { stream: true })))
      .once('end', end)
      .once('error', end)
      .once('close', end)
    return reply
  }

  close(): void {
    void this.#client.destroy()
  }
}
