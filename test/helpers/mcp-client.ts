import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

export interface ToolAnswer {
  isError: boolean
  text: string
  value: Record<string, unknown>
}

export interface Agent {
  client: Client
  call(tool: string, input?: Record<string, unknown>): Promise<ToolAnswer>
}

type Transport = Parameters<Client['connect']>[0]

export async function connectAgent(transport: Transport, options: ClientOptions = {}): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, options)
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    async call(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input })
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      return { isError, text, value: isError ? {} : (JSON.parse(text) as Record<string, unknown>) }
    },
  }
}

export function overHttp(url: string, headers: Record<string, string> = {}): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${url}/_control/mcp`), { requestInit: { headers } })
}
