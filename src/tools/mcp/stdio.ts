import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpContext } from './context.ts'
import { createMcpServer } from './server.ts'
import { StreamTransport, type Streams } from './stream-transport.ts'

/** Ends when the client has closed the streams and has got the answers that it waits for. */
export async function speakOnStdio(context: McpContext, streams: Streams): Promise<void> {
  const transport = new StreamTransport(streams)
  const { close } = serveStdio(() => createMcpServer(context), { transport, maxSubscriptions: 1 })
  await transport.whenAnswered
  await close()
}
