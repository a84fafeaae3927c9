import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { describeFailure } from '#contract/failures.ts'
import { type Config, describeIgnoredOpen, describeSettings, readConfig } from '#server/config.ts'
import { readVersion } from '#server/package-files.ts'
import { type McpContext, type RunningServer, startServer } from '#server/server.ts'
import { defineCommand, type OptionSpec } from './command.ts'
import { type CommandOutput, exitCodes, UsageError } from './input-output.ts'
import { createLogger, logFormatOf } from './log.ts'

const settingOf = {
  port: ['PORT', 'PORT'],
  host: ['HOST', 'ADDRESS'],
  data: ['DATA_DIR', 'FOLDER'],
  snapshot: ['SNAPSHOT', 'FILE'],
  fixtures: ['FIXTURES', 'NAME'],
  profile: ['PROFILE', 'FILE'],
  seed: ['SEED', 'TEXT'],
  simulate: ['SIMULATE', ''],
  'cors-origins': ['CORS_ORIGINS', 'LIST'],
  'control-key': ['CONTROL_KEY', 'KEY'],
  'log-level': ['LOG_LEVEL', 'LEVEL'],
  'log-format': ['LOG_FORMAT', 'FORMAT'],
} as const satisfies Record<string, readonly [setting: keyof Config, value: string]>
type Name = keyof typeof settingOf
const names = Object.keys(settingOf) as Name[]
export const flagOf: Readonly<Record<string, string>> = Object.fromEntries(
  names.map((name) => [settingOf[name][0], `--${name}`]),
)

/** Loaded when an agent first sends a request. */
const mcp = async (server: McpContext) => (await import('./mcp/served-tools.ts')).createServedTools(server)

export const serve = defineCommand({
  options: {
    ...describeOptions(),
    'ready-file': { takes: 'FILE', about: 'Write {url, pid, version} to this file while the server is running' },
  },
  example: 'serve --port 8081 --seed demo --simulate',
  notes: describeAddresses(),
  async run({ values }, output) {
    const { 'ready-file': file, ...settings } = values
    const given = Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[settingOf[name as Name][0], String(value)]],
    )
    const config = readConfig(undefined, Object.fromEntries(given), flagOf)
    const readyFile = file === undefined ? undefined : new ReadyFile(file)
    const logger = createLogger(config, output)
    const ignored = describeIgnoredOpen(config)
    if (ignored !== undefined) logger.warn(ignored)
    const server = await startServer(config, { logger, mcp })
    const version = readVersion()
    try {
      readyFile?.write({ url: server.url, version })
    } catch (error) {
      // Without its file, clients cannot find the server, so the server must not keep the process running.
      await server.close()
      throw error
    }
    // A second signal ends the process immediately, so the file is also removed on exit.
    process.once('exit', () => readyFile?.remove())
    endWell(config.SHUTDOWN_DELAY * 1000, async ({ isAwaited, error }) => {
      if (error) output.stderr.write(`vendor-cloud: unexpected error, shutting down: ${error.stack}\n`)
      logger.info(`vendor-cloud ${version} is shutting down`)
      if (isAwaited) await server.depart()
      readyFile?.remove()
      await server.close()
    })
    const everywhere = ['0.0.0.0', '::'].includes(config.HOST) ? ' and on all other addresses of this machine' : ''
    greet(`vendor-cloud ${version} listens on ${server.url}${everywhere}`, listLinks(server, config), {
      config,
      logger,
      output,
    })
    return exitCodes.ok
  },
})

interface Greeted {
  config: Config
  logger: Logger
  output: CommandOutput
}

/** A JSON log contains only JSON. If only the log is piped, the greeting is still printed to the terminal. */
function greet(says: string, links: readonly Link[], { config, logger, output: { stdout, stderr } }: Greeted): void {
  // If logging is off, there are no lines that could mix with the greeting.
  const inJson = logFormatOf(config, stdout) === 'json' && logger.isLevelEnabled('fatal')
  if (inJson && logger.isLevelEnabled('info')) {
    const fields = Object.fromEntries(links.map(([name, link]) => [toFieldName(name), link]))
    logger.info(fields, says)
    if (config.LOG_FORMAT === 'json') return
  }
  const lines = links.map(([name, link]) => `  ${name.padEnd(14)}${link}\n`)
  const people = inJson ? stderr : stdout
  people.write(`${says}\n\n${lines.join('')}\n`)
}

function toFieldName(name: string): string {
  const [first = '', ...rest] = name.split(' ')
  return [first.toLowerCase(), ...rest].join('')
}

type Link = readonly [name: string, link: string]

function listLinks({ url, controlKey, serves }: RunningServer, config: Config): Link[] {
  const { CONTROL, CONTROL_KEY, CORS_ORIGINS } = config
  const links: Link[] = []
  const control = CONTROL !== 'off'
  // Only a generated key is printed. A key of the user must not appear in logs.
  const isMade = controlKey !== undefined && CONTROL_KEY === undefined
  if (control && serves('/_console')) links.push(['Console', `${url}/_console${isMade ? `#key=${controlKey}` : ''}`])
  if (serves('/docs')) links.push(['Documentation', `${url}/docs`])
  if (control) {
    const status = `${url}/_control/status`
    const header = isMade ? `'x-control-key: ${controlKey}'` : '"x-control-key: $CONTROL_KEY"'
    links.push(['Control API', controlKey === undefined ? status : `curl -H ${header} '${status}'`])
  } else links.push(['Control API', 'off (CONTROL)'])
  const pages = CORS_ORIGINS.map((origin) => (origin === 'loopback' ? 'localhost, any port' : origin)).join(', ')
  links.push(['Data', describeData(config)])
  links.push(['CORS', `${pages === '' ? 'no pages from other origins' : `pages from ${pages}`} (CORS_ORIGINS)`])
  links.push(['Try', `curl -H 'request-source: vendor.com' '${url}/stg/us/guest/zipCode?zipCode=07660'`])
  return links
}

function describeData({ DATA_DIR, DATABASE_URL }: Config): string {
  if (DATABASE_URL !== undefined) return 'PostgreSQL (DATABASE_URL)'
  return DATA_DIR === undefined ? 'in memory, lost when the process ends (DATA_DIR stores it)' : `${DATA_DIR} (SQLite)`
}

function describeOptions(): Record<Name, OptionSpec> {
  const settings = new Map(describeSettings().map((setting) => [setting.name, setting]))
  const options = names.map((name) => {
    const [setting, takes] = settingOf[name]
    const { meaning = '', values = [], fallback = '' } = settings.get(setting) ?? {}
    const choice = values.length > 0 && takes ? `: ${values.join(', ')}` : ''
    const otherwise = fallback && takes ? ` (default: ${fallback})` : ''
    // The values precede a note such as `; default: text on a terminal`.
    const about = meaning.replace(/(?=;)|$/, choice)
    return [name, { about: `${about}${otherwise} (env: ${setting})`, ...(takes && { takes }) }]
  })
  return Object.fromEntries(options) as Record<Name, OptionSpec>
}

function describeAddresses(): string {
  const asOption: readonly string[] = names.map((name) => settingOf[name][0])
  const further = describeSettings()
    .map(({ name }) => name)
    .filter((name) => !asOption.includes(name) && !name.startsWith('OTEL_'))
  return `Other environment variables (docs/command-line.md, also served at /docs/command-line): ${further.join(', ')}
Traces use the environment variables of OpenTelemetry (docs/deployment.md).`
}

/** Contains `{url, pid, version}` while the server runs. Tests in other languages use it to find the server. */
class ReadyFile {
  readonly #path: string

  /**
   * Removes the file if its server has ended, so that clients do not use its URL. Rejects a file of any other kind.
   * Keeps the file of a running server until this server listens, because this server may fail to start.
   */
  constructor(path: string) {
    this.#path = path
    if (!lstatSync(path, { throwIfNoEntry: false })) return
    const pid = this.#read()
    if (pid === undefined)
      throw new UsageError(
        `cannot write ${path}: the file exists and is not a ready file. Delete it or use another path`,
      )
    // In a container, an earlier server may have had the same process ID as this one.
    if (pid === process.pid || !isRunning(pid)) rmSync(path)
  }

  /** Writes the file atomically, because readers poll for it. */
  write(server: { url: string; version: string }): void {
    const { pid } = process
    const part = `${this.#path}.${pid}.part`
    try {
      writeFileSync(part, `${JSON.stringify({ url: server.url, pid, version: server.version })}\n`, { flag: 'wx' })
      renameSync(part, this.#path)
    } catch (error) {
      throw new UsageError(`cannot write ${this.#path}: ${describeFailure(error)}`)
    }
  }

  /** Another server may have replaced the file with its own in the meantime. */
  remove(): void {
    if (this.#read() === process.pid) rmSync(this.#path, { force: true })
  }

  #read(): number | undefined {
    try {
      const { url, pid } = JSON.parse(readFileSync(this.#path, 'utf8')) as { url?: unknown; pid?: unknown }
      return typeof url === 'string' && typeof pid === 'number' ? pid : undefined
    } catch {
      return undefined
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

interface End {
  /** If true, load balancers must notice the shutdown before the server closes. */
  isAwaited: boolean
  error: Error | undefined
}

const ORDERS = ['SIGINT', 'SIGTERM'] as const
/** Maximum milliseconds until the process ends, counted from the end of SHUTDOWN_DELAY. */
const GRACE = 5000
/** Milliseconds in which a repeated signal is ignored, because npm forwards signals that already arrived. */
const ECHO = 250

/** Only SIGTERM waits for `delay` milliseconds, because a user who presses Ctrl-C should not have to wait. */
function endWell(delay: number, end: (how: End) => Promise<void>): void {
  let first: NodeJS.Signals | undefined
  let isEnding = false
  let isEcho = true
  const grace = closeWithGrace({ delay: delay + GRACE, logger: false, skip: [...ORDERS] }, ({ err }) => {
    isEnding = true
    return end({ isAwaited: first === 'SIGTERM', error: err })
  })
  const obey = (signal: NodeJS.Signals) => {
    if (isEnding) {
      if (signal !== first || !isEcho) process.exit(1)
      return
    }
    first = signal
    setTimeout(() => (isEcho = false), ECHO).unref()
    grace.close()
  }
  for (const signal of ORDERS) process.on(signal, obey)
}
