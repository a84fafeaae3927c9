import { readEntry } from './calls/entry-call.ts'
import type { McpServer } from '@modelcontextprotocol/server'
import { ResourceTemplate } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { vendorOperations, type VendorOperation } from './calls/operations.ts'
import { interfaceNames } from '#contract/documents/find-operation.ts'
import { suggestNearest } from '#contract/records/nearest.ts'
import type { McpContext } from './context.ts'
import { toSentence, toToolError } from './errors.ts'
import { readWorld, shorten } from './tool.ts'

const JSON_TYPE = 'application/json'
export const SCHEME = 'vendor-cloud://'
export const resourcePaths = ['operations', 'choices', 'people', 'coverage/{world}', 'journal/{world}/{id}'] as const
type Path = (typeof resourcePaths)[number]
export const PROMPT = 'write-a-client'

/** Resources are read-only, so clients may load them without confirmation. */
export function addResources(server: McpServer, context: McpContext): void {
  const open = (name: unknown) => context.open(readWorld(String(name)))
  const plain = (name: Path, description: string, read: () => Promise<unknown>) =>
    server.registerResource(name, `${SCHEME}${name}`, { description, mimeType: JSON_TYPE }, async (uri) =>
      toContents(uri, read),
    )
  const templated = (name: string, path: Path, description: string, read: (of: Variables) => Promise<unknown>) =>
    server.registerResource(
      name,
      new ResourceTemplate(`${SCHEME}${path}`, { list: undefined }),
      { description, mimeType: JSON_TYPE },
      async (uri, variables) => toContents(uri, () => read(variables)),
    )
  plain('operations', 'All operations: route, caller, JSON Schemas of the inputs, and an example', async () =>
    vendorOperations.map(describe),
  )
  plain(
    'choices',
    'Choices that a profile can set: behavior that the specifications leave open, with its values',
    async () => (await open(context.world).choices()).items.filter(({ allowed }) => allowed),
  )
  plain(
    'people',
    'Callers, dealers, tokens, partners and sellers of the fixtures',
    async () => (await open(context.world).status()).try,
  )
  templated(
    'coverage',
    'coverage/{world}',
    "Share of the vendor's operations and statuses that the requests of a world covered",
    ({ world }) => open(world).coverage(),
  )
  templated('journal', 'journal/{world}/{id}', 'One journal entry', async ({ world, id }) =>
    readEntry(open(world), Number(id)),
  )
}

type Variables = Readonly<Record<string, string | string[]>>

async function toContents(uri: URL, read: () => Promise<unknown>) {
  try {
    const text = JSON.stringify(shorten(await read()))
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] }
  } catch (error) {
    throw new Error(toSentence(error), { cause: error })
  }
}

/** For each operation whose example has placeholders such as `{{timeSlot}}`, the operation that lists free slots. */
const slotSources: Readonly<Record<string, string>> = {
  8: 'appointmentDate and timeSlot, from operation 16',
  9: 'appointmentDate and timeSlot, from operation 16 with isReschedule=true',
  33: 'appointmentDate and startTime, from operation 37',
}

function describe(operation: VendorOperation) {
  const { operation: name, of, method, path, scope, summary, contract } = operation
  const { params, query, headers, body } = contract
  const { needs = slotSources[name], ...example } = contract.example ?? {}
  return {
    operation: name,
    interface: of,
    route: `${method} ${path}`,
    summary,
    caller: scope,
    params: toInput(params),
    query: toInput(query),
    headers: toInput(headers),
    body: toInput(body),
    ...(Object.keys(example).length > 0 && { example }),
    ...(needs !== undefined && { needs: toToolError(needs) }),
  }
}

/** Keywords that agents need to write a request. */
const KEYWORDS =
  /^(?:type|properties|required|items|anyOf|enum|const|format|pattern|description|default|m(?:in|ax)\w+)$/
/** Number of characters. Patterns of dates and email addresses are longer and would fill the agent's context. */
const LONGEST_PATTERN = 60

/** Returns the JSON Schema of an argument of the tool `call`. */
function toInput(schema: z.ZodType | undefined) {
  if (!schema) return undefined
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Values of a parameter whose schema also accepts what the vendor ignores.
      const { enum: values } = Object(jsonSchema['openapi']) as { enum?: string[] }
      if (values) jsonSchema.enum = values
      for (const name of Object.keys(jsonSchema)) if (!KEYWORDS.test(name)) delete jsonSchema[name]
      if (jsonSchema.pattern && jsonSchema.pattern.length > LONGEST_PATTERN) delete jsonSchema.pattern
    },
  })
  return json
}

export function addPrompt(server: McpServer): void {
  server.registerPrompt(
    PROMPT,
    {
      title: 'Write a client',
      description: "Write or fix a client of the vendor's APIs until it passes the examination",
      argsSchema: z.strictObject({
        language: z.string().max(60).optional().describe('For example Python'),
        interfaces: z.string().max(60).optional().describe('support, events, wallet, billing'),
      }),
    },
    ({ language = 'the language of this project', interfaces = interfaceNames.join(', ') }) => {
      for (const name of interfaces.split(/[\s,]+/)) {
        if (interfaceNames.some((each) => each === name)) continue
        throw new Error(`interfaces ${name} is not an interface${suggestNearest(name, interfaceNames)}`)
      }
      const text = write(language, interfaces)
      return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
    },
  )
}

const STREAMS = '\n   Test with stream effects that the client reopens a stream with Last-Event-ID.'

const write = (language: string, interfaces: string) => `\
Write a client in ${language} for these APIs of the vendor: ${interfaces}. Work in these steps:

1. Read the resource vendor-cloud://operations for routes, inputs and examples, and vendor-cloud://people for callers.
   The client reads its base URL from VENDOR_CLOUD_URL. Nothing else in it may depend on the emulator.
2. Create a world with the \`world\` tool (action make, a seed, frozen true). Set VENDOR_CLOUD_URL to its url.
3. Start a recording (\`case\`, action record). Try each operation with the \`call\` tool before you write code for it.
4. When a request is rejected, use \`explain\` with the entry's ID. Fix the client according to the \`sentence\` of the
   rule, not for one value. \`example\` corrects the fields that the error names.
5. Run the client. Use \`journal\` with \`refused\` true. The field \`ignored\` of an entry lists misspelled parameters.
   Check with \`verify\` that the client sent what it should.
6. Test failures with \`inject_fault\`: the profiles flaky, lost-answers and gateway, and variation with all kinds.
   Advance the time by P31D. A client must accept unknown fields, and retry only requests that are safe to repeat.${
     interfaces.includes('events') ? STREAMS : ''
   }
7. Grade it with \`examine\` (or npx --no vendor-cloud examine -- COMMAND) until no MUST check fails. Save the case of each
   failure, and replay it after the fix.
`
