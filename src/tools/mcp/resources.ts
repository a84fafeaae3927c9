import { readEntry } from './calls/entry-call.ts'
import type { McpServer } from '@modelcontextprotocol/server'
import { ResourceTemplate } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { vendorOperations, type VendorOperation } from './calls/operations.ts'
import type { McpContext } from './context.ts'
import { toSentence } from './errors.ts'
import { readWorld, shorten } from './tool.ts'

const JSON_TYPE = 'application/json'

/** Resources only read, so a client may load them without asking its user. */
export function addResources(server: McpServer, context: McpContext): void {
  const open = (name: unknown) => context.open(readWorld(String(name)))
  const plain = (name: string, description: string, read: () => Promise<unknown>) =>
    server.registerResource(name, `vendor-cloud://${name}`, { description, mimeType: JSON_TYPE }, async (uri) =>
      toContents(uri, read),
    )
  const templated = (name: string, path: string, description: string, read: (of: Variables) => Promise<unknown>) =>
    server.registerResource(
      name,
      new ResourceTemplate(`vendor-cloud://${path}`, { list: undefined }),
      { description, mimeType: JSON_TYPE },
      async (uri, variables) => toContents(uri, () => read(variables)),
    )
  plain('operations', 'Every operation: route, who may call, parameters and an example', async () =>
    vendorOperations.map(describe),
  )
  plain('choices', 'What we do where the documents are silent', async () => (await open(context.world).choices()).items)
  plain(
    'people',
    'Callers, dealers, tokens, partners and sellers to call as',
    async () => (await open(context.world).status()).try,
  )
  templated('coverage', 'coverage/{world}', "Share of the vendor's interfaces that a world has met", ({ world }) =>
    open(world).coverage(),
  )
  templated('journal', 'journal/{world}/{id}', 'One entry of the journal', async ({ world, id }) =>
    readEntry(open(world), Number(id)),
  )
}

type Variables = Readonly<Record<string, string | string[]>>

async function toContents(uri: URL, read: () => Promise<unknown>) {
  try {
    const text = JSON.stringify(shorten(await read()), undefined, 1)
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] }
  } catch (error) {
    throw new Error(toSentence(error), { cause: error })
  }
}

function describe(operation: VendorOperation) {
  const { operation: name, of, method, path, scope, summary, contract } = operation
  const { needs, ...example } = contract.example ?? {}
  return {
    operation: name,
    interface: of,
    route: `${method} ${path}`,
    summary,
    caller: scope,
    ...(contract.otherStatuses && { otherStatuses: contract.otherStatuses }),
    ...(Object.keys(example).length > 0 && { example }),
    ...(needs !== undefined && { needs }),
  }
}

export function addPrompt(server: McpServer): void {
  server.registerPrompt(
    'write-a-client',
    {
      title: 'Write a client',
      description: "Write or mend a client of the vendor's interfaces until it passes the examination",
      argsSchema: z.object({
        language: z.string().max(60).optional().describe('Such as Python'),
        interfaces: z.string().max(60).optional().describe('support, events, wallet, billing'),
      }),
    },
    ({ language = 'the language of this project', interfaces = 'support, events, wallet and billing' }) => ({
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: write(language, interfaces) } }],
    }),
  )
}

const write = (language: string, interfaces: string) => `\
Write a client in ${language} for these interfaces of the vendor: ${interfaces}. Work like this:

1. Read the resource vendor-cloud://operations for routes, callers and examples, and vendor-cloud://people for names to
   call as. The client reads its address from VENDOR_CLOUD_URL, and nothing else tells it that this is no real vendor.
2. Make a world with the tool world (action make, a seed, frozen true). Its url is the client's VENDOR_CLOUD_URL.
3. Begin a recording (case, action record). Try each operation with the tool call before you write it down in code.
4. When something is rejected, use explain with the entry's ID. Fix the client by the rule, not by one value: example
   is a call that succeeds, sentence is the rule for all calls.
5. Run the client, then look at journal with refused true, and at ignored, which names misspelt parameters. Check with
   verify that it sent what it should.
6. Disturb it: profiles flaky, lost-answers and gateway, variation with all kinds, chaos on its stream, time by P31D. A
   client must bear unknown fields, repeat what is safe to repeat, and come back to a stream with Last-Event-ID.
7. Grade it with examine (or vendor-cloud examine -- COMMAND) until no MUST fails. Save the case of each failure, and
   replay it after the mending.
`
