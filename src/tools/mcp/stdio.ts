import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpContext } from './context.ts'
import { createMcpServer } from './server.ts'

/** Bytes of one message: a case comes whole. */
const LARGEST = 64 * 1024 * 1024

/** Speaks the protocol on the standard streams until the client closes them. */
export async function speakOnStdio(context: McpContext, streams: Streams): Promise<void> {
  const transport = new StdioServerTransport(streams.input, streams.output, { maxBufferSize: LARGEST })
  await new Promise<void>((resolve) => {
    streams.input.once('end', resolve)
    streams.input.once('close', resolve)
    streams.output.once('error', () => resolve())
    serveStdio(() => createMcpServer(context), { transport, maxSubscriptions: 1 })
  })
}

type Parameters = ConstructorParameters<typeof StdioServerTransport>

export interface Streams {
  input: NonNullable<Parameters[0]>
  output: NonNullable<Parameters[1]>
}
