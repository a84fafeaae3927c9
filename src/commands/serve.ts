import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { type Config, describeSettings, readConfig } from '../config.ts'
import { readVersion, type RunningServer, startServer } from '../server.ts'
import { type CommandOutput, exitCodes, parseCommand, UsageError } from './command-line.ts'

const text = { type: 'string' } as const

/** Options, and the setting of the environment that each stands for. */
const settingOf = {
  port: 'PORT',
  host: 'HOST',
  data: 'DATA_DIR',
  snapshot: 'SNAPSHOT',
  fixtures: 'FIXTURES',
  seed: 'SEED',
  'log-level': 'LOG_LEVEL',
} as const
type Name = keyof typeof settingOf
const names = Object.keys(settingOf) as Name[]
const options = Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>

export async function serve(args: string[], { stdout }: CommandOutput): Promise<number> {
  const { values, positionals } = parseCommand(args, options)
  if (positionals.length > 0) throw new UsageError(`${positionals.join(' ')} is not expected`)
  const given = names.map((name) => [settingOf[name], values[name]] as const)
  const config = readConfig(undefined, Object.fromEntries(given.filter(([, value]) => value !== undefined)))
  const server = await startServer(config, pino({ level: config.LOG_LEVEL }))
  closeWithGrace({ delay: 10_000, logger: false }, () => server.close())
  stdout.write(describeServer(server, config))
  return exitCodes.ok
}

/** What to try, in a few lines. */
function describeServer({ url, controlKey, serves }: RunningServer, { CONTROL, CONTROL_KEY }: Config): string {
  const links: [string, string][] = []
  const control = CONTROL !== 'off'
  // A key that its owner has set is known already, and stays out of logs.
  const isMade = controlKey !== undefined && CONTROL_KEY === undefined
  if (control && serves('/_console')) links.push(['Console', `${url}/_console${isMade ? `#key=${controlKey}` : ''}`])
  if (serves('/docs')) links.push(['Interfaces', `${url}/docs`])
  if (control) {
    const status = `${url}/_control/status`
    const header = isMade ? `'x-control-key: ${controlKey}'` : '"x-control-key: $CONTROL_KEY"'
    links.push(['Control API', controlKey === undefined ? status : `curl -H ${header} '${status}'`])
  }
  return [
    `vendor-cloud ${readVersion()} listens on ${url}\n\n`,
    ...links.map(([name, link]) => `  ${name.padEnd(14)}${link}\n`),
    `  ${'Try'.padEnd(14)}curl -H 'request-source: vendor.com' '${url}/stg/us/guest/zipCode?zipCode=07660'\n\n`,
  ].join('')
}

/** One line an option, with the variable that it stands for and its default. */
export function describeOptions(): string[] {
  const settings = new Map(describeSettings().map((setting) => [setting.name, setting]))
  return names.map((name) => {
    const { meaning = '', fallback = '' } = settings.get(settingOf[name]) ?? {}
    return `--${name.padEnd(12)} ${meaning}${fallback ? `; default ${fallback}` : ''} (${settingOf[name]})`
  })
}
