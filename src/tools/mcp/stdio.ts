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

/** A case is one message. A longer message ends the connection. */
const maxBufferSize = 64 * 1024 * 1024

/** Ends when the client has closed the input and every open call is answered, or when the output is closed. */
export async function speakOnStdio(context: McpContext, { input, output, onerror }: Streams): Promise<void> {
  const transport = new AnsweringTransport(input, output, { maxBufferSize })
  const { close } = serveStdio(() => createMcpServer(context), { transport, maxSubscriptions: 1, onerror })
  await transport.whenClosed
  await close()
}

/** The SDK's transport drops open calls when the input ends, although they may have changed something. */
class AnsweringTransport extends StdioServerTransport {
  readonly whenClosed = new Promise<void>((resolve) => (this.#finish = resolve))
  readonly #open = new Set<unknown>()
  #isEnding = false
  #finish!: () => void

  override async start(): Promise<void> {
    const deliver = this.onmessage
    this.onmessage = (message) => {
      // A subscription is answered only at its end, so nothing waits for it.
      if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#open.add(message.id)
      deliver?.(message)
      if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
        this.#settle(message.params?.['requestId'])
      }
    }
    await super.start()
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message)
    } finally {
      if (isJSONRPCResponse(message)) this.#settle(message.id)
    }
  }

  /** The SDK calls it when the input ends. */
  override async close(): Promise<void> {
    this.#isEnding = true
    // The last line may lack its line end.
    this._ondata(Buffer.from('\n'))
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
