import * as z from 'zod'
import { defineControl } from './define.ts'

const jsonRpcError = z
  .object({
    jsonrpc: z.literal('2.0'),
    error: z.object({ code: z.int(), message: z.string() }),
    id: z.union([z.string(), z.int()]).nullable(),
  })
  .describe('JSON-RPC 2.0 error')

export const agentOperations = defineControl('Agents', {
  speakMcp: {
    validatesItself: true,
    keepsEmpty: true,
    summary: 'Call tools of the MCP server',
    description: 'Model Context Protocol over streamable HTTP, without sessions.',
    body: z.unknown().describe('JSON-RPC 2.0 message'),
    produces: ['application/json', 'text/event-stream'],
    reply: z.unknown().describe('JSON-RPC 2.0 response. A notification gets 202 without a body.'),
    otherStatuses: [202, 406],
    otherErrors: jsonRpcError,
    example: {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
  },
})
