import { FrameQueue } from '../../cases/frame-queue.ts'

/** Only a missing frame takes all of this real time. */
const PATIENCE = 5000

/** An EventSource could not send the headers of the case. */
export class StreamReader {
  readonly #frames = new FrameQueue()
  readonly #reader: ReadableStreamDefaultReader<string>

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
    void this.#read()
      .catch(() => {})
      .finally(() => this.#frames.end())
  }

  next() {
    return this.#frames.next(PATIENCE)
  }

  close(): void {
    void this.#reader.cancel().catch(() => {})
  }

  async #read(): Promise<void> {
    for (let part = await this.#reader.read(); !part.done; part = await this.#reader.read()) {
      this.#frames.push(part.value)
    }
  }
}
