import { type jsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import type { McpContext } from './context.ts'
import { toSentence } from './errors.ts'
import { addPrompt } from './prompt.ts'
import { addResources } from './resources.ts'
import type { Tool } from './tool.ts'
import { tools } from './tools/tools.ts'

const INSTRUCTIONS =
  "A consumer-electronics vendor's support, event, wallet and billing APIs on this machine, for writing and testing " +
  'clients. Begin with the tool world; call as people of the resource vendor-cloud://people; explain what is refused.'

/** The protocol wants a server of its own for each connection, or for each request over HTTP. */
export function createMcpServer(context: McpContext): McpServer {
  const server = new McpServer(
    { name: 'vendor-cloud', version: context.version },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: neverAsked },
  )
  for (const tool of listTools(context)) addTool(server, tool, context)
  addResources(server, context)
  addPrompt(server)
  return server
}

export function listTools({ readOnly = false, tools: chosen }: Pick<McpContext, 'readOnly' | 'tools'>): Tool[] {
  return tools.filter((tool) => (chosen?.includes(tool.name) ?? true) && (!readOnly || tool.hasReading))
}

/** The tools never ask for input, and the library's own validator is slow to create. */
const neverAsked: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'no input is asked for' }),
}

function addTool(server: McpServer, tool: Tool, context: McpContext): void {
  const { name, title, description, destructive, outputSchema } = tool
  const readOnly = context.readOnly ?? false
  const reads = tool.isReading(readOnly) && (readOnly || name !== 'call')
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: toStandard(tool.inputSchema(readOnly)),
      outputSchema: toStandard(outputSchema),
      annotations: { readOnlyHint: reads, destructiveHint: !reads && destructive, openWorldHint: false },
    },
    async (given) => {
      try {
        const structuredContent = await tool.run(context, given)
        return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
      } catch (error) {
        return { content: [{ type: 'text', text: toSentence(error) }], isError: true }
      }
    },
  )
}

/** The tool judges its input itself, since its own sentences say more than the library's. */
function toStandard(json: Record<string, unknown>) {
  const validate = (value: unknown) => ({ value })
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'vendor-cloud',
      validate,
      jsonSchema: { input: () => json, output: () => json },
    },
  }
}
