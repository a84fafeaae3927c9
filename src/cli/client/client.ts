import { UsageError } from '../input-output.ts'
import { createDirectFetch } from './loopback.ts'
import { bounds } from '#tools/client/options.ts'
import { ControlError, toShapeError } from '#tools/client/errors.ts'
import { createWorldClient, type WorldClient } from '#tools/client/world-client.ts'
import { type Config, reachable, readConfig } from '#server/config.ts'

export const addressOptions = {
  url: { takes: 'URL', about: 'Address of the server (default: PORT of this machine, HTTPS when TLS_CERT is set)' },
  key: { takes: 'KEY', about: 'Key of the control API (env: CONTROL_KEY)' },
} as const
export const jsonOption = { json: { about: 'Print JSON' } } as const
export const serverOptions = { ...addressOptions, ...jsonOption } as const
export const clientOptions = {
  world: { takes: 'NAME', about: 'World to use (default: the default world)' },
  ...serverOptions,
} as const

export interface Target {
  url?: string | undefined
  world?: string | undefined
  key?: string | undefined
}

/** `work` must also parse the response, because the response may have an unexpected format. */
export async function withWorld<T>(
  target: Target,
  work: (world: WorldClient) => Promise<T>,
  words: readonly string[] = [],
): Promise<T> {
  const world = openWorld(target)
  try {
    return await work(world)
  } catch (error) {
    throw toCommandError(toShapeError(new URL(world.url).origin, error), words, target.url === undefined)
  }
}

export function openWorld({ url, world, key }: Target): WorldClient {
  const config = readConfig()
  const [origin, named] = toOrigin(toUrl(url ?? ownAddress(config)))
  if (world !== undefined && !/^[a-z0-9-]{1,64}$/.test(world)) {
    throw new UsageError(`${world} is not a valid world name. Use 1 to 64 of a-z, 0-9 and -`)
  }
  if (world !== undefined && named !== undefined && world !== named) {
    throw new UsageError(`--url is for world ${named}, but --world is ${world}. Remove /w/${named} from --url`)
  }
  return createWorldClient(origin, {
    key: key ?? config.CONTROL_KEY,
    world: world ?? named,
    patience: 2 * bounds.patience,
    fetch: url === undefined && config.TLS_CERT !== undefined ? fetchOwn : createDirectFetch(),
  })
}

/** The path may name a world, or be the address for clients of the MCP server. */
export function toOrigin({ origin, pathname }: URL): [origin: string, world: string | undefined] {
  const [, base = '', world] = /^(.*?)(?:\/w\/([a-z0-9-]{1,64}))?(?:\/_control\/mcp)?\/*$/.exec(pathname) ?? []
  return [origin + base, world]
}

/** Does not verify the certificate of a server on this machine, because it may be issued for another name. */
export const fetchOwn: typeof fetch = async (target, init) => {
  const { default: undici } = await import('undici')
  const dispatcher = new undici.Agent({ connect: { rejectUnauthorized: false } })
  // undici declares its own types for responses.
  return (await undici.fetch(String(target), { ...(init as object), dispatcher })) as never
}

export function ownAddress({ HOST, PORT, TLS_CERT }: Config): string {
  return `${TLS_CERT === undefined ? 'http' : 'https'}://${reachable(HOST)}:${PORT}`
}

export function toUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new UsageError(`${text} is not a valid URL. Use a form such as http://localhost:8080`)
  return new URL(text)
}

/** Replaces requests and fields in messages of the control API with commands and options. */
const phrases: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\(force: true accepts it\)/g, '(--force accepts it)'],
  [
    /GET \/_control\/worlds lists them, POST creates one/g,
    'run npx --no vendor-cloud list worlds to list them, or create world NAME to create one',
  ],
  [/^(this path is unknown; |\/_control\/\S+ is off\. ).*/, 'the control API of this server is off (CONTROL=off)'],
  [/^devices has no record /, 'there is no device '],
  [/\bGET \/_control\/records\/devices\b/, 'npx --no vendor-cloud list devices'],
  [/\bGET \/_control\/(faults|worlds)\b/g, 'npx --no vendor-cloud list $1'],
  [/\bPOST \/_control\/reset\b/g, 'npx --no vendor-cloud reset'],
  [/, or whole milliseconds/, ''],
  [/ requires a key in x-control-key or Authorization: Bearer/, ' requires a key in --key or CONTROL_KEY'],
  [/\bthe key in x-control-key is not/, 'the key in --key or CONTROL_KEY is not'],
  [/\bUse the value of CONTROL_KEY or, if it is not set/, "Use the server's CONTROL_KEY or, if it has none"],
  [/ and send it as x-control-key/, ' on the server, and use --key'],
  [/\bquery\.q\b/g, '--search'],
  [/\bquery\.traceId\b/g, '--trace'],
  [/\bquery\.(\w+)/g, '--$1'],
]

/** Replaces field names with the command's `words` (`VALUE`, `--unit`). `JSON` means the entire body. */
function toCommandError(error: unknown, words: readonly string[], isOwn: boolean): unknown {
  if (isOwn && error instanceof ControlError && error.message.endsWith('(ECONNREFUSED)')) {
    return new ControlError(0, error.code, `${error.message}. Start the server, or set --url`, [], error)
  }
  if (!(error instanceof ControlError) || error.status < 400 || error.status >= 500) return error
  const { status, code, findings } = error
  let message = error.message
  for (const [pattern, replacement] of phrases) message = message.replace(pattern, replacement)
  message = message
    .replace(/\bbody\.(\w+)/g, (_, field: string) => words.find((each) => isFor(each, field)) ?? field)
    .replace(/(^|; )body (?=has |is |must )/g, '$1JSON ')
  return new ControlError(status, code, message, findings, error)
}

function isFor(word: string, field: string): boolean {
  return word.replace(/^--/, '').toLowerCase() === field
}
