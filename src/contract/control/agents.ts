import * as z from 'zod'
import { defineControl } from './define.ts'

const jsonRpcError = z
  .object({
    jsonrpc: z.literal('2.0'),
    error: z.object({ code: z.int(), message: z.string() }),
    id: z.union([z.string(), z.int()]).nullable(),
  })
  .meta({ description: 'An error of JSON-RPC 2.0' })

export const agentOperations = defineControl('Agents', {
  speakMcp: {
    // The protocol's own library judges its messages.
    validatesItself: true,
    keepsEmpty: true,
    summary: 'The tools of agents, by the Model Context Protocol (streamable HTTP, without sessions)',
    body: z.unknown().meta({ description: 'A message of JSON-RPC 2.0' }),
    produces: ['application/json', 'text/event-stream'],
    reply: z.unknown().meta({ description: 'Its answer; 202 without one to a notification' }),
    otherStatuses: [202, 406],
    otherErrors: jsonRpcError,
    example: {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
  },
})
