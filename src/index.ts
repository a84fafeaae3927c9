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
import { findNearest } from './contract/records/nearest.ts'
import { type McpContext, type RunningServer, startServer } from './server/server.ts'

export type * from './tools/client/inputs.ts'
export type * from './tools/client/types.ts'
export type * from './tools/client/world.ts'
export type { Finding } from './tools/client/errors.ts'
export { ConfigError, ControlError, StartError, UnexpectedRequests }

export interface VendorCloudOptions {
  /** A free port by default. `false` opens none, and only `fetch` of worlds and the control calls reach the server. */
  port?: number | false
  /** Default: 127.0.0.1. On another address the control calls use the server's key. */
  host?: string
  /** Every id and token is then a function of the seed and of the calls. */
  seed?: string
  /** Files of this folder replace our fixtures of the same name. */
  fixtures?: string
  /** The world begins with this file instead of fixtures. */
  snapshot?: string
  /** A file, or the name of a shipped profile. */
  profile?: string
  /** `true` lets the fixture devices send events by themselves. */
  simulate?: boolean
  /** The reconnection time in milliseconds that event streams send. Default: 3000. */
  streamRetryMs?: number
  /** Lets the process end without `stop`. Default: the server keeps it running. */
  unref?: boolean
  /** Further settings have the names of their environment variables. */
  settings?: { readonly [Name in keyof Config]?: string }
}

/** The server's own calls are those of its default world. */
export interface VendorCloud extends VendorCloudWorld {
  /** Requests to the control API carry this key as `x-control-key`; undefined where it needs none. */
  readonly controlKey: string | undefined
  /**
   * Completes pending requests and ends streams. A server in VENDOR_CLOUD_URL keeps running: worlds created there are
   * deleted unless they are recorded. They expire after a day, unless their `expiresIn` says otherwise.
   */
  stop(): Promise<void>
  /** `await using` stops the server at the end of its block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The options that are settings of the environment. */
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

/** The tools load when an agent asks for them. */
const mcp = async (server: McpContext) => (await import('./cli/mcp/served-tools.ts')).createServedTools(server)

/**
 * Keeps the process running until `stop`, unless `unref` is set. Environment variables are ignored, so tests do not
 * depend on them.
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

/** Throws with a stack that ends at the caller of `startVendorCloud`. */
function readOptions(options: VendorCloudOptions): Config {
  const { unref: _, settings = {}, ...given } = options
  try {
    refuseUnknown('an option', options, [...Object.keys(SETTINGS), 'unref', 'settings'])
    // JavaScript callers have no compiler to reject an object here.
    if (given.profile && typeof given.profile !== 'string') {
      throw new TypeError(
        'profile must be a name or a file. To use an object, call world({ profile }) or profile.set(...)',
      )
    }
    const names = describeSettings().map(({ name }) => name)
    refuseUnknown('a setting', settings, names)
    const own = Object.entries(given).flatMap(([name, value]: [string, unknown]) =>
      // `port: false` opens none, so any will do.
      value === undefined ? [] : [[SETTINGS[name as keyof typeof SETTINGS], value === false ? '0' : String(value)]],
    )
    return readConfig({ PORT: '0', ...settings, ...(Object.fromEntries(own) as Record<string, string>) })
  } catch (error) {
    Error.captureStackTrace(error as Error, startVendorCloud)
    throw error
  }
}

/** The server may run in a container or elsewhere; an address that ends in `/w/{name}` means that world. */
export function connectVendorCloud(url: string, controlKey?: string): VendorCloudWorld {
  return createWorldClient(...toJoin(url, controlKey))
}

/**
 * For tests. Uses the server in VENDOR_CLOUD_URL with its CONTROL_KEY, as `vendor-cloud record -- npm test` sets it, or
 * starts one in this process with these options. `stop` ends what was started here: on a shared server the event
 * streams, and the worlds unless they are recorded.
 */
export async function openVendorCloud(options: VendorCloudOptions = {}): Promise<VendorCloud> {
  const { url, key } = readTestServer()
  if (url === undefined) return startVendorCloud(options)
  const [origin, joined] = toJoin(url, key, (target, init) => visit.ask(target, init))
  const direct = createDirectFetch()
  const whole = createWorldClient(origin, { key, patience: LAST_WORDS, fetch: direct })
  const visit = new Visit((name) => whole.call('deleteWorld', { params: [name] }), direct)
  const world = createWorldClient(origin, { ...joined, keeper: visit })
  const stop = () => visit.leave()
  return { ...world, controlKey: key, stop, [Symbol.asyncDispose]: stop }
}

/** Time limit in milliseconds for cleanup requests to a shared server. */
const LAST_WORDS = 5000

function toJoin(
  url: string,
  key: string | undefined,
  ask = createDirectFetch(),
): [origin: string, options: ControlOptions] {
  const [, origin = url, world] = /^(.*?)(?:\/w\/([a-z0-9-]{1,64}))?\/*$/.exec(url) ?? []
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new ConfigError(`${url} is not a valid URL. Use a form such as http://localhost:8080`)
  }
  const call: typeof fetch = async (target, init) =>
    ask(target instanceof Request ? toHost(target, origin) : target, init)
  return [origin, { key, world, writeFile: writeFileInFolder, fetch: call }]
}

/** Opening a world replays the case. */
export interface OpenedCase {
  /** Steps count from 1 to this number. */
  readonly steps: number
  /**
   * Opens a world in its state after step `at` (default: the last one) with a paused clock. It is on `server`, or on
   * that of `openVendorCloud`, which then ends with the world.
   */
  open(options?: OpenCaseOptions): Promise<VendorCloudWorld>
}

export interface OpenCaseOptions {
  /** The last applied step. Default: the last of the case. */
  at?: number
  /** The name of the world. Default: a new one. */
  name?: string
  /** The world is made on this server, which must run. */
  server?: VendorCloudWorld
}

/** Rejects a file that is not a case, with its errors. */
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

/** A test waits for the page, so the time for its replay is short. */
const PAGE_PATIENCE = 3000

/** The page of `failed.jsonl` is `failed.html`. Gives its name. */
export async function saveCasePage(file: string): Promise<string> {
  const { writePageOf } = await import('./cli/cases/show.ts')
  const page = file.replace(/(?:\.jsonl)?$/, '.html')
  await writeFile(page, await writePageOf(file, PAGE_PATIENCE))
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

/** In process every host is answered here, and without a port every address of the server. */
function createFetch(server: RunningServer, portless: boolean): typeof fetch {
  const direct = createDirectFetch()
  return async (target, init) => {
    const isOwn = target instanceof Request || (portless && new URL(target).origin === server.url)
    return isOwn ? server.fetch(new Request(target, init)) : direct(target, init)
  }
}

/** JavaScript callers have no compiler to reject a misspelled name. */
function refuseUnknown(what: string, given: object, names: readonly string[]): void {
  const findings = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => {
      // The beginning of a name is too far from it to count as a slip, and just as plain.
      const nearest = findNearest(name, names) ?? names.find((each) => each.startsWith(name))
      return `${name} is not ${what} of startVendorCloud${nearest ? ` (did you mean ${nearest}?)` : ''}`
    })
  if (findings.length > 0) throw new ConfigError(findings.join('\n'))
}
