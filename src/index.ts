import { UnexpectedRequests } from './tools/client/expected-requests.ts'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createWorldClient } from './tools/client/world-client.ts'
import { ControlError, leaveOutOwnFrames } from './tools/client/errors.ts'
import type { ControlOptions } from './tools/client/options.ts'
import { Visit } from './tools/client/visit.ts'
import type { VendorCloudWorld } from './tools/client/world.ts'
import { type Config, ConfigError, describeSettings, readConfig, readTestServer, StartError } from './server/config.ts'
import { createDirectFetch } from './cli/client/loopback.ts'
import { didYouMean } from './contract/records/nearest.ts'
import { type McpContext, type RunningServer, startServer } from './server/server.ts'

export type * from './tools/client/inputs.ts'
export type * from './tools/client/types.ts'
export type * from './tools/client/world.ts'
export type { Finding } from './tools/client/errors.ts'
export { ConfigError, ControlError, StartError, UnexpectedRequests }

export interface VendorCloudOptions {
  /**
   * Default: a free port. With `false`, no port is opened, and the server is available only through `fetch` of worlds
   * and the control calls.
   */
  port?: number | false
  /** Default: 127.0.0.1. For any other address, the control calls use the server's key. */
  host?: string
  /** Seed of the default world, whose IDs and tokens are then the same in each run. `world()` has its own `seed`. */
  seed?: string
  /** Folder whose files replace the built-in fixtures of the same name. */
  fixtures?: string
  /** File from which the default world is restored. Without this option, the world starts with the fixtures. */
  snapshot?: string
  /** A file, or the name of a built-in profile. */
  profile?: string
  /** If true, the devices of the fixtures send events on their own. */
  simulate?: boolean
  /** Reconnection time that event streams send, in milliseconds. Default: 3000. */
  streamRetryMs?: number
  /** If true, the process can end without calling `stop`. Default: the server keeps the process running. */
  unref?: boolean
  /** Other settings, by the names of their environment variables. */
  settings?: { readonly [Name in keyof Config]?: string }
}

/** The control calls of this object apply to the default world. */
export interface VendorCloud extends VendorCloudWorld {
  /** Key that requests to the control API must send as `x-control-key`. Undefined if no key is required. */
  readonly controlKey: string | undefined
  /**
   * Completes pending requests and ends streams. A server in VENDOR_CLOUD_URL keeps running. The worlds that were
   * created there are deleted, except recorded ones. These expire after a day, unless `expiresIn` was set.
   */
  stop(): Promise<void>
  /** With `await using`, the server is stopped at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>
}

const SETTINGS = {
  port: 'PORT',
  host: 'HOST',
  seed: 'SEED',
  fixtures: 'FIXTURES',
  snapshot: 'SNAPSHOT',
  profile: 'PROFILE',
  simulate: 'SIMULATE',
  streamRetryMs: 'STREAM_RETRY_MS',
} as const satisfies { readonly [Option in Exclude<keyof VendorCloudOptions, 'unref' | 'settings'>]: keyof Config }

/** Loaded when an agent first sends a request. */
const mcp = async (server: McpContext) => (await import('./cli/mcp/served-tools.ts')).createServedTools(server)

/**
 * Starts a server in this process. It keeps the process running until `stop`, unless `unref` is set. Environment
 * variables are ignored, so that tests do not depend on them.
 */
export async function startVendorCloud(options: VendorCloudOptions = {}): Promise<VendorCloud> {
  const { port, unref } = options
  const config = readOptions(options)
  const server = await startServer(config, { listen: port !== false, mcp }).catch((error: Error) => {
    leaveOutOwnFrames(error)
    throw error
  })
  if (unref) server.unref()
  const { url, controlKey: key } = server
  const ask = createFetch(server, port === false)
  let isStopped = false
  const requestWhileRunning: typeof fetch = async (target, init) => {
    if (isStopped) throw new TypeError('fetch failed', { cause: new Error('the server was stopped') })
    return ask(target, init)
  }
  const stop = () => {
    isStopped = true
    return server.close()
  }
  const world = createWorldClient(url, { key, writeFile: writeFileInFolder, fetch: requestWhileRunning })
  return { ...world, controlKey: key, stop, [Symbol.asyncDispose]: stop }
}

/** Errors get a stack that starts at the caller of `startVendorCloud`. */
function readOptions(options: VendorCloudOptions): Config {
  const { unref: _, settings = {}, ...given } = options
  try {
    refuseUnknown('an option', options, [...Object.keys(SETTINGS), 'unref', 'settings'])
    // In JavaScript, no compiler rejects an object here.
    if (given.profile && typeof given.profile !== 'string') {
      throw new TypeError(
        'profile must be a name or a file. To use an object, call world({ profile }) or profile.set(...)',
      )
    }
    const names = describeSettings().map(({ name }) => name)
    refuseUnknown('a setting', settings, names)
    const own = Object.entries(given).flatMap(([name, value]: [string, unknown]) =>
      // With `port: false` no port is opened, so the value does not matter.
      value === undefined ? [] : [[SETTINGS[name as keyof typeof SETTINGS], value === false ? '0' : String(value)]],
    )
    return readConfig({ PORT: '0', ...settings, ...(Object.fromEntries(own) as Record<string, string>) })
  } catch (error) {
    Error.captureStackTrace(error as Error, startVendorCloud)
    throw error
  }
}

/** Connects to a running server, for example in a container. A URL that ends in `/w/{name}` selects that world. */
export function connectVendorCloud(url: string, controlKey?: string): VendorCloudWorld {
  return createWorldClient(...toJoin(url, controlKey))
}

/**
 * Opens a server for tests. Uses the server in VENDOR_CLOUD_URL with its CONTROL_KEY, as `vendor-cloud record -- npm
 * test` sets them, or starts a server in this process with these options. `stop` stops a server that was started here.
 * On a shared server, it ends the event streams of this client and deletes its worlds, except recorded ones.
 */
export async function openVendorCloud(options: VendorCloudOptions = {}): Promise<VendorCloud> {
  const { url, key } = readTestServer()
  if (url === undefined) return startVendorCloud(options)
  const [origin, joined] = toJoin(url, key, (target, init) => visit.ask(target, init), 'VENDOR_CLOUD_URL=')
  const direct = createDirectFetch()
  const whole = createWorldClient(origin, { key, patience: LAST_WORDS, fetch: direct })
  const visit = new Visit((name) => whole.call('deleteWorld', { params: [name] }), direct)
  const hint = ' (from VENDOR_CLOUD_URL). Start a server there, or unset the variable'
  const world = createWorldClient(origin, { ...joined, hint, keeper: visit })
  const stop = () => visit.leave()
  return { ...world, controlKey: key, stop, [Symbol.asyncDispose]: stop }
}

/** Timeout in milliseconds for cleanup requests to a shared server. */
const LAST_WORDS = 5000

function toJoin(
  url: string,
  key: string | undefined,
  ask = createDirectFetch(),
  variable = '',
): [origin: string, options: ControlOptions] {
  const [, origin = url, world] = /^(.*?)(?:\/w\/([a-z0-9-]{1,64}))?\/*$/.exec(url) ?? []
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new ConfigError(`${variable}${url} is not a valid URL. Use a form such as http://localhost:8080`)
  }
  const call: typeof fetch = async (target, init) =>
    ask(target instanceof Request ? toHost(target, origin) : target, init)
  return [origin, { key, world, writeFile: writeFileInFolder, fetch: call }]
}

/** A case that can be opened as a world. */
export interface OpenedCase {
  /** Number of the last step. The first step is 1. */
  readonly steps: number
  /**
   * Replays the case and creates a world in the state after step `at`, with a paused clock. The world is created on
   * `server`, or else on a server of `openVendorCloud` that stops when the world is deleted.
   */
  open(options?: OpenCaseOptions): Promise<VendorCloudWorld>
}

export interface OpenCaseOptions {
  /** Last step to replay. Default: the last step of the case. */
  at?: number
  /** Name of the world. Default: a generated name. */
  name?: string
  /** Running server on which the world is created. */
  server?: VendorCloudWorld
}

/** Rejects with the validation errors if the file is not a case. */
export async function openCase(file: string): Promise<OpenedCase> {
  const { readCaseFile } = await import('./cli/cases/stored-world.ts')
  const { steps, playTo } = await readCaseFile(file)
  return {
    steps,
    async open({ at, name, server: given } = {}) {
      const { snapshot } = await playTo(at)
      const own = given ? undefined : await openVendorCloud({ unref: true })
      try {
        const world = await (given ?? own!).world(name === undefined ? {} : { name })
        await world.restore(snapshot)
        const end = async () => {
          await world.delete()
          await own?.stop()
        }
        return { ...world, delete: end, [Symbol.asyncDispose]: end }
      } catch (error) {
        await own?.stop()
        throw error
      }
    },
  }
}

/** Maximum milliseconds for the replay. The limit is short, because a test waits for the page. */
const PAGE_PATIENCE = 3000

/** Writes the page of `failed.jsonl` to `failed.html` and returns the page's name. `title` is the page's heading. */
export async function saveCasePage(file: string, title?: string): Promise<string> {
  const { writePageOf } = await import('./cli/cases/show.ts')
  const page = file.replace(/(?:\.jsonl)?$/, '.html')
  await writeFile(page, await writePageOf(file, PAGE_PATIENCE, title))
  return page
}

function toHost(request: Request, origin: string): Request {
  const { pathname, search } = new URL(request.url)
  return new Request(origin + pathname + search, request)
}

async function writeFileInFolder(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** The server in this process responds to a `Request` for any host. Without a port, it also responds to its own URL. */
function createFetch(server: RunningServer, portless: boolean): typeof fetch {
  const direct = createDirectFetch()
  return async (target, init) => {
    const isOwn = target instanceof Request || (portless && new URL(target).origin === server.url)
    return isOwn ? server.fetch(new Request(target, init)) : direct(target, init)
  }
}

/** In JavaScript, no compiler rejects a misspelled name. */
function refuseUnknown(what: string, given: object, names: readonly string[]): void {
  const findings = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `${name} is not ${what} of startVendorCloud${didYouMean(name, names)}`)
  if (findings.length > 0) throw new ConfigError(findings.join('\n'))
}
