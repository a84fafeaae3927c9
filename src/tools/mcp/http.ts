import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpContext } from './context.ts'
import { createMcpServer } from './server.ts'

/** Answers one request of the streamable HTTP transport; nothing is kept between two. */
export type AnswerMcp = (request: Request, given: { body: unknown; world: string }) => Promise<Response>

export function createMcpAnswer(context: McpContext): AnswerMcp {
  return async (request, { body, world }) => {
    // Whoever addresses a world means it by default.
    const handler = createMcpHandler(() => createMcpServer({ ...context, world }), { maxSubscriptions: 1 })
    return handler.fetch(request, { parsedBody: body })
  }
}
