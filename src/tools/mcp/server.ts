import { createMcpHandler, type jsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import type { McpContext } from './context.ts'
import { toSentence } from './errors.ts'
import { addPrompt, addResources } from './resources.ts'
import type { Tool } from './tool.ts'
import { callTool, explainTool } from './tools/call.ts'
import { caseTool } from './tools/case.ts'
import { disturbTool } from './tools/disturb.ts'
import { examineTool } from './tools/examine.ts'
import { happenTool } from './tools/happen.ts'
import { journalTool, verifyTool } from './tools/journal.ts'
import { timeTool, worldTool } from './tools/world.ts'

const tools: readonly Tool[] = [
  worldTool,
  callTool,
  explainTool,
  journalTool,
  verifyTool,
  disturbTool,
  timeTool,
  happenTool,
  caseTool,
  examineTool,
]

const INSTRUCTIONS =
  "A consumer-electronics vendor's support, event, wallet and billing APIs on this machine, for writing and testing " +
  'clients. Begin with the tool world; call as people of the resource vendor-cloud://people; explain what is refused.'

/** The protocol wants a server of its own for each connection, or for each request over HTTP. */
export function createMcpServer(given: McpContext, isConnection = false): McpServer {
  const context: McpContext = { ...given }
  if (isConnection) {
    context.select = (world = given.world) => {
      context.world = world
    }
  }
  const server = new McpServer(
    { name: 'vendor-cloud', version: context.version },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: neverAsked },
  )
  for (const tool of tools) if (context.tools?.includes(tool.name) ?? true) addTool(server, tool, context)
  addResources(server, context)
  addPrompt(server)
  return server
}

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

/** The tools never ask for input, and the library's own validator is slow to create. */
const neverAsked: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'no input is asked for' }),
}

function addTool(server: McpServer, tool: Tool, context: McpContext): void {
  const { name, title, description, destructive, isReading, outputSchema } = tool
  const { readOnly = false } = context
  const readOnlyHint = readOnly || isReading
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: toStandard(tool.inputSchema(readOnly)),
      outputSchema: toStandard(outputSchema),
      annotations: { readOnlyHint, destructiveHint: !readOnlyHint && destructive, openWorldHint: false },
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

/** The tool validates its input itself, since its own sentences say more than the library's. */
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
