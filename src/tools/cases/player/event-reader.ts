import type { Client, Dispatcher } from 'undici'
import { FrameQueue } from '../frame-queue.ts'
import type { CaseReply } from '../../../contract/records/control/case.ts'
import { isEventStream, readReply, toHeaders } from './case-calls.ts'

export class EventReader {
  readonly frames = new FrameQueue()
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** The reply has a body where it is no stream. */
  async open(options: Dispatcher.RequestOptions): Promise<CaseReply> {
    const answer = await this.#client.request(options)
    const { body } = answer
    const reply = { status: answer.statusCode, headers: toHeaders(answer.headers) }
    if (!isEventStream(reply.headers)) {
      const whole = await readReply(answer)
      this.close()
      return whole
    }
    const end = () => this.frames.end()
    // A letter of several bytes may come in two pieces, and undici's setEncoding leaves the first piece as bytes.
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
