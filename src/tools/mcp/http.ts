import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpContext } from './context.ts'
import { createMcpServer } from './server.ts'

/** Nothing is kept between two requests. */
export type AnswerMcp = (request: Request, given: { body: unknown; world: string }) => Promise<Response>

export function createMcpAnswer(context: McpContext): AnswerMcp {
  return async (request, { body, world }) => {
    const { signal } = request
    // A world in the address is the default world of its tools, which call nobody for a client that has left.
    const own = { ...context, world, open: (name: string) => context.open(name, signal) }
    const handler = createMcpHandler(() => createMcpServer(own), { maxSubscriptions: 1 })
    return handler.fetch(request, { parsedBody: body })
  }
}
