import {
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { findPoisonedKey } from '../../contract/records/plain-values.ts'

type Parameters = ConstructorParameters<typeof StdioServerTransport>

export interface Streams {
  input: NonNullable<Parameters[0]>
  output: NonNullable<Parameters[1]>
}

/** A whole case comes in one message. */
const LONGEST = 64 * 1024 * 1024

/**
 * The library's transport drops calls that are open when the input ends, though they may have changed something, and
 * lines that are no JSON. This one answers both.
 */
export class StreamTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Settles when the input has ended and every call is answered, or when nobody is left to read the answers. */
  readonly whenAnswered: Promise<void>
  readonly #streams: Streams
  readonly #decoder = new TextDecoder()
  readonly #open: RequestId[] = []
  /** Holds the line that has not ended yet. */
  #pieces: string[] = []
  #length = 0
  #hasEnded = false
  #finish: () => void = () => {}

  constructor(streams: Streams) {
    this.#streams = streams
    this.whenAnswered = new Promise((resolve) => (this.#finish = resolve))
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams
    input.on('data', this.#read)
    input.once('end', this.#end)
    input.once('close', this.#end)
    input.once('error', this.#end)
    output.once('error', this.#finish)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message)
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#settle(message.id)
  }

  async close(): Promise<void> {
    const { input } = this.#streams
    input.off('data', this.#read)
    input.pause()
    this.#finish()
    this.onclose?.()
  }

  #read = (chunk: Uint8Array) => {
    const [rest = '', ...lines] = this.#decoder.decode(chunk, { stream: true }).split('\n').toReversed()
    for (const line of lines.toReversed()) {
      this.#keep(line)
      this.#take()
    }
    this.#keep(rest)
  }

  #keep(piece: string): void {
    this.#length += piece.length
    if (this.#length <= LONGEST) this.#pieces.push(piece)
    else this.#pieces = []
  }

  #take(): void {
    const line = this.#pieces.join('')
    const isTooLong = this.#length > LONGEST
    this.#pieces = []
    this.#length = 0
    if (isTooLong) this.#refuse(INVALID_REQUEST, `a message has at most ${LONGEST} characters`)
    else if (line.trim() !== '') this.#handle(line)
  }

  #handle(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#refuse(PARSE_ERROR, 'this line is no JSON')
      return
    }
    let message: JSONRPCMessage
    try {
      const key = findPoisonedKey(value, line)
      if (key) return this.#refuse(INVALID_REQUEST, `the message has a key ${key}, which is refused`, value)
      message = parseJSONRPCMessage(value)
    } catch {
      this.#refuse(INVALID_REQUEST, 'this is no message of JSON-RPC 2.0', value)
      return
    }
    // A subscription is answered only at its end, so nothing waits for it.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#open.push(message.id)
    this.onmessage?.(message)
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.#settle(message.params?.['requestId'])
    }
  }

  #refuse(code: number, message: string, value?: unknown): void {
    const { id } = Object(value) as { id?: unknown }
    const known = typeof id === 'string' || typeof id === 'number' ? id : null
    this.#write({ jsonrpc: '2.0', id: known, error: { code, message } }).catch(() => {})
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#streams.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    )
  }

  #settle(id: unknown): void {
    const at = this.#open.indexOf(id as RequestId)
    if (at >= 0) this.#open.splice(at, 1)
    this.#finishWhenAnswered()
  }

  #end = () => {
    if (this.#hasEnded) return
    this.#hasEnded = true
    // The last line may lack its line end.
    this.#keep(this.#decoder.decode())
    this.#take()
    this.#finishWhenAnswered()
  }

  #finishWhenAnswered(): void {
    if (this.#hasEnded && this.#open.length === 0) this.#finish()
  }
}
