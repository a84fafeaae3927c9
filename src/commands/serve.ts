import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { describeSettings, readConfig } from '../config.ts'
import { readVersion, type RunningServer, startServer } from '../server.ts'
import { type CommandOutput, exitCodes, parseCommand, UsageError } from './command-line.ts'

const text = { type: 'string' } as const

/** Options, each in the place of a setting of the environment. */
const options = {
  port: text,
  host: text,
  data: text,
  snapshot: text,
  fixtures: text,
  seed: text,
  'log-level': text,
} as const

export async function serve(args: string[], { stdout }: CommandOutput): Promise<number> {
  const { values, positionals } = parseCommand(args, known())
  if (positionals.length > 0) throw new UsageError(`${positionals.join(' ')} is not expected`)
  const given = Object.entries(values).map(([name, value]) => [toSetting(name), String(value)] as const)
  const config = readConfig(undefined, Object.fromEntries(given))
  const server = await startServer(config, pino({ level: config.LOG_LEVEL }))
  closeWithGrace({ delay: 10_000, logger: false }, () => server.close())
  stdout.write(describeServer(server, config.CONTROL === 'on'))
  return exitCodes.ok
}

/** What to try, in a few lines. */
export function describeServer({ url, controlKey, serves }: RunningServer, control: boolean): string {
  const links: [string, string][] = []
  const key = controlKey === undefined ? '' : `#key=${controlKey}`
  if (control && serves('/_console')) links.push(['Console', `${url}/_console${key}`])
  if (serves('/docs')) links.push(['Interfaces', `${url}/docs`])
  if (control) links.push(['Control API', `${url}/_control/status`])
  const given = control && controlKey !== undefined ? [`  Control key   ${controlKey}\n`] : []
  return [
    `vendor-cloud ${readVersion()} listens on ${url}\n\n`,
    ...links.map(([name, link]) => `  ${name.padEnd(14)}${link}\n`),
    ...given,
    `  ${'Try'.padEnd(14)}curl -H 'request-source: vendor.com' '${url}/stg/us/guest/zipCode?zipCode=07660'\n\n`,
  ].join('')
}

/** One line an option, with the variable that it stands for and its default. */
export function describeOptions(): string[] {
  const settings = new Map(describeSettings().map((setting) => [setting.name, setting]))
  return Object.keys(known()).map((name) => {
    const { meaning = '', fallback = '' } = settings.get(toSetting(name)) ?? {}
    return `--${name.padEnd(12)} ${meaning}${fallback ? `; default ${fallback}` : ''} (${toSetting(name)})`
  })
}

/** An option whose setting this build does not have is none. */
function known() {
  const names = new Set(describeSettings().map(({ name }) => name))
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.has(toSetting(name))))
}

const toSetting = (option: string): string => option.toUpperCase().replaceAll('-', '_')
