import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpContext } from './context.ts'
import { createMcpServer } from './server.ts'

/** Nothing is kept between two requests. */
export type AnswerMcp = (request: Request, given: { body: unknown; world: string }) => Promise<Response>

export function createMcpAnswer(context: McpContext): AnswerMcp {
  return async (request, { body, world }) => {
    // A world in the address is the default world of its tools.
    const handler = createMcpHandler(() => createMcpServer({ ...context, world }), { maxSubscriptions: 1 })
    return handler.fetch(request, { parsedBody: body })
  }
}
