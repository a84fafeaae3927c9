import { readText } from '#contract/bodies.ts'
import { passingReplyHeaders } from '#contract/files/passing-headers.ts'
import type { HttpResponse } from '#contract/exchange.ts'
import { createFrameReader, type Frame, isEventStream } from './frame-reader.ts'
import { toHeaderFields } from './raw-headers.ts'
import type { ReplyEnd, Witness } from './relay.ts'

/** A longer reply is compared only as far as this. */
const LARGEST = 32 * 1024 * 1024
const MOST_FRAMES = 1000

export class CapturedReply implements Witness {
  readonly frames: Frame[] = []
  #status: number | undefined
  #headers: NonNullable<HttpResponse['headers']> = {}
  #end: ReplyEnd | undefined
  #pieces: Buffer[] = []
  #bytes = 0
  readonly #method: string
  readonly #readFrames = createFrameReader((frame) => {
    if (this.frames.length < MOST_FRAMES && this.#bytes <= LARGEST) this.frames.push(frame)
  })
  /** Set when the other side answered without a stream: this one would never end. */
  isStreamUnwanted = false

  constructor(method: string) {
    this.#method = method
  }

  get isStream(): boolean {
    return isEventStream(this.#method, this.#headers['content-type'])
  }

  get hasBegun(): boolean {
    return this.#status !== undefined
  }

  sent(): void {}

  answered(status: number, raw: readonly string[]): void {
    this.#status = status
    const fields = Object.entries(toHeaderFields(raw))
    this.#headers = Object.fromEntries(fields.filter(([name]) => !passingReplyHeaders.has(name)))
  }

  received(bytes: Buffer): void {
    this.#bytes += bytes.length
    if (this.isStream) this.#readFrames(bytes)
    else if (this.#bytes <= LARGEST) this.#pieces.push(Buffer.from(bytes))
  }

  ended(how: ReplyEnd): void {
    this.#end = how
  }

  /** Gives nothing when the client left, or the server was never asked. */
  read(): HttpResponse | undefined {
    if (this.#end === 'lost') return {}
    if (this.#status === undefined) return undefined
    const head = { status: this.#status, headers: this.#headers }
    if (this.isStream) return { ...head, body: '' }
    if (this.#end === undefined || this.#end === 'left') return undefined
    const text = this.#method === 'HEAD' ? undefined : readText(Buffer.concat(this.#pieces), this.#headers)
    return { ...head, ...(text !== undefined && { body: text }), ...(this.#end === 'cut' && { cut: true }) }
  }
}
