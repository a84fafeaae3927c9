interface Frame {
  id: string | undefined
  event: string
  data: unknown
}

/** Milliseconds of real time that a frame may take to come. */
const PATIENCE = 2000

/** Reads the frames of an event stream; an EventSource could not send the headers that a case says. */
export class StreamReader {
  readonly #frames: Frame[] = []
  readonly #reader: ReadableStreamDefaultReader<string>
  #hasEnded = false
  #wake = () => {}

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
    void this.#read().catch(() => {
      this.#hasEnded = true
    })
  }

  async next(): Promise<Frame | undefined> {
    if (this.#frames.length === 0 && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        setTimeout(resolve, PATIENCE)
      })
    }
    return this.#frames.shift()
  }

  close(): void {
    void this.#reader.cancel().catch(() => {})
  }

  async #read(): Promise<void> {
    let rest = ''
    for (let part = await this.#reader.read(); !part.done; part = await this.#reader.read()) {
      const blocks = (rest + part.value).split('\n\n')
      rest = blocks.pop()!
      this.#frames.push(...blocks.flatMap(toFrame))
      if (this.#frames.length > 0) this.#wake()
    }
    this.#hasEnded = true
    this.#wake()
  }
}

/** Heartbeats are no frames. */
function toFrame(block: string): Frame[] {
  const [, event] = /^event: (.*)$/m.exec(block) ?? []
  const [, id] = /^id: (.*)$/m.exec(block) ?? []
  const [, data = ''] = /^data: (.*)$/m.exec(block) ?? []
  if (event === undefined) return []
  return [{ id, event, data: event === 'CONTROL_EVENT' ? data : (JSON.parse(data) as unknown) }]
}
