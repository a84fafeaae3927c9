import type { McpServer } from '@modelcontextprotocol/server'
import { ResourceTemplate } from '@modelcontextprotocol/server'
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
    open(world).journalEntry(Number(id)),
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
