import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type AppOptions, buildApp } from './app.ts'
import { type Config, ConfigError, reachable, StartError } from './config.ts'
import { EXAMPLES, findConsoleFolder, findDocs, FIXTURES, readVersion, ROOT } from './package-files.ts'
import { createInProcess, type InProcess } from './in-process/fetch.ts'
import { Unavailable, UnusableState } from './ports/failures.ts'
import type { JobQueue } from './ports/job-queue.ts'
import type { Worlds } from './ports/worlds.ts'
import { toKnownProfile } from './control/choices.ts'
import type { AnswerMcp } from './control/context.ts'
import type { VendorProfile } from '#contract/records/control/vendor-profile.ts'
import { describeFailure } from '#contract/failures.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { LARGEST_SMALL_FILE, readInputText } from './seed/input-file.ts'
import { createJobs, createRuntime, newControlKey, openTracing, readStartFiles, realTimer } from './runtime.ts'

export interface RunningServer {
  /** URL for requests from this machine, such as `http://127.0.0.1:8080`. */
  url: string
  worlds: Worlds
  controlKey: string | undefined
  fetch: InProcess['fetch']
  connect: InProcess['connect']
  unref(): void
  serves(path: string): boolean
  /** Makes `/health/ready` fail. The server continues to respond for SHUTDOWN_DELAY. */
  depart(): Promise<void>
  close(): Promise<void>
}

export interface McpContext extends Pick<RunningServer, 'url' | 'fetch' | 'controlKey'> {
  jobs: JobQueue
}

export interface ServerOptions {
  /** Loads the MCP tools. Called when the first agent connects. */
  mcp?: (server: McpContext) => Promise<AnswerMcp>
  logger?: AppOptions['logger']
  /** With `false`, the server opens no port and can be reached only through `fetch`. */
  listen?: boolean | undefined
}

export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  const { logger, listen = true, mcp } = options
  const open = config.CONTROL === 'open' || /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(config.HOST)
  const controlKey = config.CONTROL_KEY ?? (open ? undefined : newControlKey())
  const tls = await readTls(config)
  const consoleFolder = config.CONTROL === 'off' ? undefined : findConsoleFolder()
  const tell = (line: string) => (logger ? logger.warn(line) : process.emitWarning(line))
  const tracing = await openTracing(config, readVersion(), tell)
  const worlds = await createRuntime(config, FIXTURES, tell).catch((error: Error) => {
    throw explain(error, config)
  })
  const jobs = createJobs()
  let tools: Promise<AnswerMcp> | undefined
  const answerMcp: AnswerMcp = async (request, given) => {
    tools ??= mcp!({ ...server, jobs })
    return (await tools)(request, given)
  }
  const app = buildApp({
    worlds,
    timer: realTimer,
    tracing,
    ...(logger && { logger }),
    ...(tls && { tls }),
    trustProxy: config.TRUST_PROXY,
    maxConnections: config.MAX_CONNECTIONS,
    corsOrigins: config.CORS_ORIGINS,
    billing: { namespace: config.BILLING_NAMESPACE },
    events: {
      maxStreams: config.MAX_STREAMS,
      heartbeatSeconds: config.HEARTBEAT_SECONDS,
      simulate: config.SIMULATE,
    },
    ...(config.CONTROL !== 'off' && {
      control: {
        open,
        worlds,
        jobs,
        version: readVersion(),
        ...(controlKey !== undefined && { key: controlKey }),
        ...(mcp && { answerMcp }),
      },
    }),
    ...(consoleFolder !== undefined && { console: { folder: consoleFolder } }),
    docs: { examplesFile: EXAMPLES, projectFolder: ROOT, ...findDocs() },
  })
  const inProcess = createInProcess(app.server)
  let second: Server | undefined
  const close = async () => {
    const closed = new Promise((resolve) => (second ? second.close(resolve) : resolve(undefined)))
    await app.close()
    await closed
    inProcess.close()
    await tracing.close()
    await worlds.close()
  }
  const server: RunningServer = {
    url: 'http://localhost',
    worlds,
    controlKey,
    fetch: inProcess.fetch,
    connect: inProcess.connect,
    unref() {
      app.server.unref()
      second?.unref()
      app.server.on('connection', (socket) => socket.unref())
    },
    async depart() {
      if (config.SHUTDOWN_DELAY === 0) return
      app.drain.announce()
      await setTimeout(config.SHUTDOWN_DELAY * 1000)
    },
    serves: (path: string) => app.hasRoute({ method: 'GET', url: path }),
    close,
  }
  try {
    await checkProfile(app, worlds)
    if (!listen) return server
    second = await startListening(app, config)
    const { port } = app.server.address() as AddressInfo
    server.url = `${tls ? 'https' : 'http'}://${reachable(config.HOST)}:${port}`
    return server
  } catch (error) {
    await close()
    throw explainListening(error as NodeJS.ErrnoException, config)
  }
}

/** For ::1, because `localhost` means both. A second server created by Fastify would not have the limits. */
async function startListening(app: FastifyInstance, { HOST, PORT }: Config): Promise<Server | undefined> {
  const { server } = app
  const isLocalhost = HOST.toLowerCase() === 'localhost'
  await app.listen({ port: PORT, host: isLocalhost ? '127.0.0.1' : HOST })
  if (!isLocalhost) return undefined
  const options = { allowHalfOpen: !('setSecureContext' in server), noDelay: true }
  const second = createServer(options, (socket) => server.emit('connection', socket))
  second.listen((server.address() as AddressInfo).port, '::1')
  try {
    await once(second, 'listening')
    return second
  } catch (error) {
    if (!ABSENT.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return undefined
  }
}

/** Error codes that occur on a machine without IPv6. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Reads the files in the settings, as at startup. Returns an error message for each invalid file. */
export async function checkFiles(config: Config): Promise<string[]> {
  const { PROFILE, SNAPSHOT, ...others } = config
  const starts = [others, { PROFILE }, { SNAPSHOT }].map((files) => readStartFiles(files as Config, FIXTURES))
  const outcomes = await Promise.allSettled([readTls(config), ...starts])
  return [...new Set(outcomes.flatMap((each) => (each.status === 'rejected' ? (each.reason as Error).message : [])))]
}

async function readTls({ TLS_CERT, TLS_KEY }: Config): Promise<{ cert: string; key: string } | undefined> {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined
  const read = async (name: string, file: string, content: string) => {
    const text = await readInputText(file, LARGEST_SMALL_FILE).catch((error: Error) => {
      throw new ConfigError(`${name}: ${describeFailure(error)}`)
    })
    if (!text.includes('-----BEGIN ')) throw new ConfigError(`${name} is not a PEM file`)
    if (!text.includes(`${content.toUpperCase()}-----`)) throw new ConfigError(`${name} contains no ${content}`)
    return text
  }
  // A value without a dot may be the key itself, because keys in base64 contain no dots.
  const show = (name: string, file: string) => (file === TLS_KEY && !file.includes('.') ? name : `${name}=${file}`)
  const pair = {
    cert: await read(show('TLS_CERT', TLS_CERT), TLS_CERT, 'certificate'),
    key: await read(show('TLS_KEY', TLS_KEY), TLS_KEY, 'private key'),
  }
  const { createSecureContext } = await import('node:tls')
  const { createPrivateKey, X509Certificate } = await import('node:crypto')
  try {
    if (new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) {
      createSecureContext(pair)
      return pair
    }
  } catch (error) {
    throw new ConfigError(`TLS_CERT and TLS_KEY are not a valid pair: ${(error as Error).message}`)
  }
  throw new ConfigError('TLS_KEY does not belong to TLS_CERT')
}

function explain(error: Error, { DATA_DIR }: Config): Error {
  // The engine could be opened, but was unavailable or out of disk space when the first world was created.
  if (error instanceof Unavailable) {
    const where = DATA_DIR === undefined ? '' : `the data directory ${DATA_DIR} cannot be written: `
    return new StartError(`${where}${error.message}`)
  }
  return error instanceof UnusableState ? new StartError(error.message) : error
}

function explainListening(error: NodeJS.ErrnoException, config: Config): Error {
  const { PORT, HOST } = config
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${PORT} on ${HOST} is already in use. For a free port, run: npx --no vendor-cloud serve --port 0`,
    EACCES: `port ${PORT} requires root privileges. Use a port above 1023`,
    EADDRNOTAVAIL: `${HOST} is not an address of this machine`,
    ENOTFOUND: `${HOST} is not a known host name (ENOTFOUND)`,
    EAI_AGAIN: `DNS lookup of ${HOST} failed temporarily (EAI_AGAIN)`,
    EINVAL: `${HOST} is not an address that a server can listen on`,
  }
  const reason = reasons[error.code ?? '']
  return reason ? new StartError(reason) : explain(error, config)
}

/** The operations are known only after all routes have been registered. */
async function checkProfile(app: FastifyInstance, worlds: Worlds): Promise<void> {
  await app.ready()
  const toKnown = (profile: VendorProfile, target: string) => {
    try {
      return toKnownProfile(profile, target, app.knownPaths.list())
    } catch (error) {
      const { message } = error as Error
      throw target === 'PROFILE' ? new ConfigError(message) : new StartError(message)
    }
  }
  // Updates the profile object itself, because later worlds start with the same object.
  if (worlds.profile) Object.assign(worlds.profile, toKnown(worlds.profile, 'PROFILE'))
  const ports = worlds.find(DEFAULT_WORLD)
  const own = ports?.world.profile
  if (!ports || !own) return
  const known = toKnown(own, 'profile')
  // Setting a profile resets its hit counts, so the profile of a stored world is set again only if it has changed.
  if (JSON.stringify(known) !== JSON.stringify(own)) await ports.setProfile(known)
}
