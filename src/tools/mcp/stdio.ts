import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { McpContext } from './context.ts'
import { createMcpServer } from './server.ts'

type Parameters = ConstructorParameters<typeof StdioServerTransport>

interface Streams {
  input: NonNullable<Parameters[0]>
  output: NonNullable<Parameters[1]>
  onerror(error: Error): void
}

/** Resolves when the client has closed the input and every open call has a response, or when the output is closed. */
export async function speakOnStdio(context: McpContext, streams: Streams): Promise<void> {
  const transport = new AnsweringTransport(streams)
  const { close } = serveStdio(() => createMcpServer(context, true), {
    transport,
    maxSubscriptions: 1,
    onerror: streams.onerror,
  })
  await transport.whenClosed
  await close()
}

/** Waits for open calls, which the SDK's transport would drop. A message of more than 10 MB closes the transport. */
class AnsweringTransport extends StdioServerTransport {
  #finish = () => {}
  readonly whenClosed = new Promise<void>((resolve) => (this.#finish = resolve))
  readonly #open = new Set<unknown>()
  readonly #input: Streams['input']
  #isEnding = false

  constructor({ input, output }: Streams) {
    super(input, output)
    this.#input = input
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage
    const onmessage = (message: JSONRPCMessage) => {
      // A subscription gets its response only when it ends, so this code does not wait for subscriptions.
      if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#open.add(message.id)
      deliver?.(message)
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
        this.#settle(message.params?.['requestId'])
      }
    }
    Object.assign(this, { onmessage })
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      if (isJSONRPCResponse(message)) this.#settle(message.id)
    }
  }

  /** The SDK calls this method when the input ends. */
  override async close(): Promise<void> {
    this.#isEnding = true
    // The last line may have no line break.
    this.#input.emit('data', Buffer.from('\n'))
    await this.#closeWhenAnswered()
  }

  #settle(id: unknown): void {
    this.#open.delete(id)
    if (this.#isEnding) void this.#closeWhenAnswered()
  }

  async #closeWhenAnswered(): Promise<void> {
    if (this.#open.size > 0) return
    await super.close()
    this.#finish()
  }
}
