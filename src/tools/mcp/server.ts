import { createMcpHandler, type jsonSchemaValidator, McpServer, ProtocolError } from '@modelcontextprotocol/server'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { McpContext } from './context.ts'
import { toSentence } from './errors.ts'
import { addPrompt, addResources, PROMPT, resourcePaths, SCHEME } from './resources.ts'
import type { Tool } from './tool.ts'
import { callTool, explainTool } from './tools/call.ts'
import { caseTool } from './tools/case.ts'
import { eventTool } from './tools/events.ts'
import { examineTool } from './tools/examine.ts'
import { faultTool } from './tools/faults.ts'
import { journalTool, verifyTool } from './tools/journal.ts'
import { timeTool, worldTool } from './tools/world.ts'

const tools: readonly Tool[] = [
  worldTool,
  callTool,
  explainTool,
  journalTool,
  verifyTool,
  faultTool,
  timeTool,
  eventTool,
  caseTool,
  examineTool,
]

const INSTRUCTIONS =
  "vendor-cloud emulates a consumer-electronics vendor's support, event, wallet and billing APIs, to write and " +
  'test clients. Start with the `world` tool. For the `call` tool, the resource vendor-cloud://operations ' +
  'lists operations, and vendor-cloud://people lists callers. Use the `explain` tool when a call is rejected.'

/** The SDK requires one server per connection, or per request over HTTP. */
export function createMcpServer(given: McpContext, isConnection = false): McpServer {
  const context: McpContext = { ...given }
  if (isConnection) {
    context.select = (world = given.world) => (context.world = world)
  }
  const server = new McpServer(
    { name: 'vendor-cloud', version: context.version },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: unusedValidator },
  )
  const offered = tools.filter(({ name }) => context.tools?.includes(name) ?? true)
  suggestNames(server, {
    'tools/call': offered.map(({ name }) => name),
    'resources/read': resourcePaths,
    'prompts/get': [PROMPT],
  })
  for (const tool of offered) addTool(server, tool, context)
  addResources(server, context)
  addPrompt(server)
  return server
}

type Handler = (request: { params?: { name?: string; uri?: string } }, context: unknown) => Promise<object>

/** Completes the errors of the SDK for unknown names. Call this before anything is registered. */
function suggestNames({ server }: McpServer, names: Readonly<Record<string, readonly string[]>>): void {
  const register = server.setRequestHandler.bind(server) as (method: string, handler: Handler) => void
  const setRequestHandler = (method: string, handler: Handler) =>
    register(method, async (request, context) => {
      try {
        return await handler(request, context)
      } catch (error) {
        if (error instanceof ProtocolError && / not found/.test(error.message)) {
          const { name, uri = '' } = request.params ?? {}
          error.message += suggestNearest(name ?? uri.replace(SCHEME, ''), names[method] ?? [])
        }
        throw error
      }
    })
  Object.assign(server, { setRequestHandler })
}

/** Stateless: requests share no data. */
export type AnswerMcp = (request: Request, given: { body: unknown; world: string }) => Promise<Response>

export function createMcpAnswer(context: McpContext): AnswerMcp {
  return async (request, { body, world }) => {
    const { signal } = request
    // The URL determines the default world. Calls are aborted when the client disconnects.
    const own = { ...context, world, open: (name: string) => context.open(name, signal) }
    const handler = createMcpHandler(() => createMcpServer(own), { maxSubscriptions: 1 })
    return handler.fetch(request, { parsedBody: body })
  }
}

/** Tools never request input, and the SDK's default validator is slow to create. */
const unusedValidator: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: 'input is not requested' }),
}

const READ_ONLY = 'This session is read-only: actions that change data are not available.'

function addTool(server: McpServer, tool: Tool, context: McpContext): void {
  const { name, title, description, destructive, isReading } = tool
  const { readOnly = false } = context
  const readOnlyHint = readOnly || isReading
  server.registerTool(
    name,
    {
      title,
      description: readOnlyHint === isReading ? description : `${description} ${READ_ONLY}`,
      inputSchema: toStandard(tool.inputSchema(readOnly)),
      annotations: { readOnlyHint, destructiveHint: !readOnlyHint && destructive, openWorldHint: false },
    },
    async (given) => {
      try {
        // The result is sent only as text. Structured content would repeat the text and use twice the context.
        return { content: [{ type: 'text', text: JSON.stringify(await tool.run(context, given)) }] }
      } catch (error) {
        return { content: [{ type: 'text', text: toSentence(error) }], isError: true }
      }
    },
  )
}

/** Tools validate their input themselves, because their messages are more helpful than those of the SDK. */
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
