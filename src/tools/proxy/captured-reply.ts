import { readFrameData } from '../../contract/cases/frame-data.ts'
import { createParser } from 'eventsource-parser'
import { passingReplyHeaders } from '../../contract/cases/passing-headers.ts'
import type { CaseReply } from '../../contract/records/control/case.ts'
import { toMessageText } from './message-text.ts'
import { toHeaderFields } from './raw-headers.ts'
import type { Witness } from './relay.ts'

/** A longer reply is compared only as far as this. */
const LARGEST = 32 * 1024 * 1024
const MOST_FRAMES = 1000

export interface Frame {
  event: string
  id?: string
  data: unknown
}

export class CapturedReply implements Witness {
  readonly frames: Frame[] = []
  #status: number | undefined
  #headers: NonNullable<CaseReply['headers']> = {}
  #how: 'whole' | 'cut' | 'lost' | 'left' | undefined
  #pieces: Buffer[] = []
  #bytes = 0
  readonly #decoder = new TextDecoder()
  readonly #parser = createParser({
    maxBufferSize: LARGEST,
    onEvent: ({ event = 'message', id, data }) => {
      if (this.frames.length < MOST_FRAMES)
        this.frames.push({ event, ...(id !== undefined && { id }), data: readFrameData(event, data) })
    },
  })

  readonly #method: string
  /** Set when the other side answered without a stream: this one would never end. */
  isStreamUnwanted = false

  constructor(method: string) {
    this.#method = method
  }

  get isStream(): boolean {
    return this.#method !== 'HEAD' && /^text\/event-stream/i.test(String(this.#headers['content-type']))
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
    if (this.isStream) return this.#parser.feed(this.#decoder.decode(bytes, { stream: true }))
    this.#bytes += bytes.length
    if (this.#bytes <= LARGEST) this.#pieces.push(Buffer.from(bytes))
  }

  ended(how: 'whole' | 'cut' | 'lost' | 'left'): void {
    this.#how = how
  }

  /** Gives nothing when the client left, or the server was never asked. */
  read(): CaseReply | undefined {
    if (this.#how === 'lost') return {}
    if (this.#status === undefined) return undefined
    if (this.isStream) return { status: this.#status, headers: this.#headers, body: '' }
    if (this.#how === undefined || this.#how === 'left') return undefined
    const text = this.#method === 'HEAD' ? undefined : toMessageText(Buffer.concat(this.#pieces), this.#headers)
    return {
      status: this.#status,
      headers: this.#headers,
      ...(text !== undefined && { body: text }),
      ...(this.#how === 'cut' && { cut: true }),
    }
  }
}
