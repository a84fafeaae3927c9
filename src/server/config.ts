import * as z from 'zod'
import { DEFAULT_NAMESPACE } from '#contract/documents/billing/operations.ts'
import { didYouMean } from '#contract/records/nearest.ts'

const port = wholeNumber('must be a port from 0 to 65535', 0, 65_535)
const seconds = z.coerce
  .number('must be a number of seconds')
  .positive('must be more than 0 seconds')
  // If the delay of a timer exceeds 24 days, Node fires the timer immediately.
  .max(86_400, 'must be at most 86400 seconds')
const count = wholeNumber('must be a whole number from 1', 1, Number.MAX_SAFE_INTEGER)
const text = z.string().optional()
const matching = (form: RegExp, rule: string) => z.string().regex(form, rule).optional()
/** Rejects the content of a file, for example TLS_KEY="$(cat key.pem)". */
const pemFile = matching(/^(?!.*-----BEGIN)[^\n]*$/, 'must be the path of a PEM file')
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, {
    error: ({ input }) => `must be one of ${values.join(', ')}${didYouMean(String(input).toLowerCase(), values)}`,
  })
const url = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://vendor.example' })
  .regex(/^[^?#]*$/, 'must be an address that contains neither ? nor #')
  .transform((value) => value.replace(/\/+$/, ''))
  .optional()
const switchedOn = oneOf('0', '1', 'true', 'false', 'on', 'off').transform((value) =>
  ['1', 'true', 'on'].includes(value),
)
const listOf = (value: string) => value.split(',').flatMap((each) => each.trim() || [])
const ORIGIN = /^(?:loopback|none|null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+)$/i
/** For these schemes, browsers omit the default port in the `Origin` header and write the host in ASCII. */
const WEB = /^https?:/
/** If the list contains `none`, all other entries are ignored. */
const origins = z
  .string()
  .transform((value) => listOf(value).map((each) => each.replace(/\/$/, '').toLowerCase()))
  .refine(
    (given) => given.every((each) => ORIGIN.test(each) && (!WEB.test(each) || URL.canParse(each))),
    'must be loopback, none, null or origins such as https://shop.example',
  )
  .transform((given) =>
    given.includes('none') ? [] : given.map((each) => (WEB.test(each) ? new URL(each).origin : each)),
  )
/** Rejects the two namespaces that XML reserves, and control characters. */
const NAMESPACE = /^(?!http:\/\/www\.w3\.org\/(?:XML\/1998\/namespace|2000\/xmlns\/)$)[^\s\p{C}]+$/u
const proxy = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(['loopback', 'linklocal', 'uniquelocal'])])

/** The table in docs/command-line.md is generated from these settings. */
const settings = {
  PORT: port.default(8080).describe('Port to listen on; 0 selects a free one'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on; localhost means 127.0.0.1 and, if available, ::1'),
  PUBLIC_URL: url.describe(
    'Base URL of links in responses, with a path if a proxy removes this path from requests; default: the address to ' +
      'which the request was sent',
  ),
  TRUST_PROXY: z
    .string()
    .transform((value) => (/^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value))
    .refine(
      (value) => typeof value === 'boolean' || listOf(value).every((each) => proxy.safeParse(each).success),
      'must be true, false or addresses such as 10.0.0.0/8, 127.0.0.1',
    )
    .default(false)
    .describe('Trust X-Forwarded-Proto, X-Forwarded-Host and X-Forwarded-For: true, or a list of proxy addresses'),
  TLS_CERT: pemFile.describe('Certificate file (PEM) for HTTPS; requires TLS_KEY'),
  TLS_KEY: pemFile.describe('Private key file (PEM) of the certificate; requires TLS_CERT'),
  CORS_ORIGINS: origins
    .default(['loopback'])
    .describe(
      'Allowed CORS origins, separated by commas; loopback allows this machine and *.localhost; null allows pages ' +
        'without an origin, such as local files; none allows no origin',
    ),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info').describe('Log level'),
  LOG_FORMAT: oneOf('text', 'json').optional().describe('Log format; default: text on a terminal, json elsewhere'),
  FIXTURES: text.describe(
    'Fixtures to start from: default, large (20,000 customers and 100,000 tickets; SEED determines the people), or ' +
      'a directory such as ./NAME, whose files replace the default files',
  ),
  SNAPSHOT: text.describe('Snapshot file to start from instead of fixtures'),
  DATA_DIR: text.describe(
    'Directory to store all data in (SQLite, package @photostructure/sqlite); without it, data is lost when the ' +
      'process ends',
  ),
  DATABASE_URL: matching(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .refine(
      (value) => value === undefined || URL.canParse(value),
      'must be an address such as postgres://user:password@host:5432/database ' +
        '(write # and / in a password as %23 and %2F)',
    )
    .describe(
      'PostgreSQL database to store all data in, instead of DATA_DIR (package pg); several instances can share it',
    ),
  PROFILE: text.describe('Profile for worlds: strict, lenient, rough, or a YAML or JSON file'),
  SEED: text.describe('Seed for reproducible IDs and tokens'),
  CONTROL: oneOf('on', 'open', 'off')
    .default('on')
    .describe(
      'Control API: on, off or open; open requires no key, whatever the address, if the Host header names this machine ' +
        'and CONTROL_KEY is not set',
    ),
  CONTROL_KEY: z
    .string()
    .min(16, 'must have at least 16 characters')
    .regex(/^[!-~]*$/, 'must contain only printable ASCII characters without spaces')
    .optional()
    .describe('Key of the control API, at least 16 characters; default: generated, unless the address is loopback'),
  MAX_CONNECTIONS: count.default(2000).describe('Maximum number of connections'),
  MAX_STREAMS: count.default(1000).describe('Maximum number of event streams'),
  HEARTBEAT_SECONDS: seconds.default(20).describe('Seconds between heartbeats of an event stream'),
  STREAM_RETRY_MS: wholeNumber('must be a whole number from 0 to 60000', 0, 60_000)
    .default(3000)
    .describe('Reconnection delay of event streams in milliseconds (`retry:`); a world can override it'),
  SHUTDOWN_DELAY: z.coerce
    .number('must be a number of seconds')
    .min(0, 'must be 0 seconds or more')
    .max(3600, 'must be at most 3600 seconds')
    .default(0)
    .describe('Seconds after SIGTERM during which the server still accepts requests and /health/ready fails'),
  SUBSCRIPTION_TTL: count.optional().describe('Seconds after which a subscription without an open stream is deleted'),
  RATE_LIMIT: count
    .optional()
    .describe('Maximum requests per minute and caller, unless a profile sets another limit; further requests get 429'),
  REDACT: z
    .string()
    .default('')
    .transform(listOf)
    .describe('Additional names of secrets, separated by commas, for proxy, case from-har and compare'),
  SIMULATE: switchedOn.default(false).describe('Simulate activity of the fixture devices'),
  BILLING_NAMESPACE: z
    .string()
    .regex(NAMESPACE, 'must be an XML namespace such as http://ws.example/, without white space')
    .default(DEFAULT_NAMESPACE)
    .describe('Namespace of the SOAP interface'),
  OTEL_EXPORTER_OTLP_ENDPOINT: text.describe(
    'Collector for traces (OTLP over HTTP), such as http://localhost:4318 (docs/deployment.md)',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text.describe(
    'Full URL of the collector for traces; overrides OTEL_EXPORTER_OTLP_ENDPOINT',
  ),
  OTEL_TRACES_EXPORTER: text.describe('Set to none to send no traces'),
  OTEL_SDK_DISABLED: text.describe('Set to true to send no traces'),
} as const

/** Settings that may contain keys and passwords, so messages never contain their values. */
const SECRET = new Set<unknown>(['CONTROL_KEY', 'DATABASE_URL', 'PUBLIC_URL', 'TLS_CERT', 'TLS_KEY'])

export const environment = z.object(settings)
export type Config = Readonly<z.output<typeof environment>>

/** The message has one line per finding. The command line displays it. */
export class ConfigError extends Error {
  /** The name still identifies this error if several copies of the package are loaded. */
  override readonly name = 'ConfigError'
  /** Names of the invalid settings. */
  readonly settings: readonly string[]

  constructor(message: string, settings: readonly string[] = []) {
    super(message)
    this.settings = settings
  }
}

/** The message is a plain sentence. The command line displays it. */
export class StartError extends Error {
  /** The name still identifies this error if several copies of the package are loaded. */
  override readonly name = 'StartError'
}

function wholeNumber(message: string, min: number, max: number) {
  const isWithin = (value: number) => value >= min && value <= max
  return z.string().regex(/^\d+$/, message).transform(Number).refine(isWithin, message)
}

type Given = Readonly<Record<string, string | undefined>>

export function environmentWith(more: Given): Given {
  return { ...process.env, ...more }
}

/** `options` take precedence over the environment. Empty values are absent. Findings name the flags in `flags`. */
export function readConfig(env: Given = process.env, options: Given = {}, flags: Given = {}): Config {
  const all = { ...env, ...options }
  const given = Object.fromEntries(Object.keys(settings).flatMap((name) => (all[name] ? [[name, all[name]]] : [])))
  const result = environment.safeParse(given)
  // One line per setting: the first rule that its value violates.
  const violations = Object.entries(result.error ? z.flattenError(result.error).fieldErrors : {})
  const findings = violations.map(([setting, [message]]): Finding => {
    const flag = options[setting] === undefined ? undefined : flags[setting]
    const value = SECRET.has(setting) ? '' : `${flag ? ' ' : '='}${given[setting]}`
    return { names: [setting], says: `${flag ?? setting}${value}: ${message}` }
  })
  findings.push(...checkPairs(given))
  if (result.success && findings.length === 0) return result.data
  throw new ConfigError(
    findings.map(({ says }) => says).join('\n'),
    findings.flatMap(({ names }) => names),
  )
}

/** Returns a warning if both settings are present, because CONTROL_KEY takes priority over `open`. */
export function describeIgnoredOpen({ CONTROL, CONTROL_KEY }: Config): string | undefined {
  if (CONTROL !== 'open' || CONTROL_KEY === undefined) return undefined
  return 'CONTROL=open has no effect, because CONTROL_KEY is set: the control API requires the key'
}

/** A server that listens on all addresses is reachable at the loopback address. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** The variables that `vendor-cloud record` sets, so that tests use its server instead of starting their own. */
export function readTestServer({ VENDOR_CLOUD_URL, CONTROL_KEY }: Given = process.env) {
  return { url: VENDOR_CLOUD_URL || undefined, key: CONTROL_KEY || undefined }
}

/** Node treats an empty NO_COLOR as set, so it is removed. */
export function readTerminal(env: Given = process.env): Given {
  const { NO_COLOR, ...others } = env
  return NO_COLOR ? env : others
}

interface Finding {
  names: readonly string[]
  says: string
}

function checkPairs(given: Given): Finding[] {
  const has = (name: string) => given[name] !== undefined
  const findings: Finding[] = []
  if (has('DATA_DIR') && has('DATABASE_URL')) {
    const says = 'DATA_DIR and DATABASE_URL cannot be used together. Set only one of them'
    findings.push({ names: ['DATA_DIR', 'DATABASE_URL'], says })
  }
  if (has('TLS_CERT') !== has('TLS_KEY')) {
    findings.push({ names: ['TLS_CERT', 'TLS_KEY'], says: 'TLS_CERT and TLS_KEY must be set together' })
  }
  return findings
}

export interface SettingDescription {
  name: string
  meaning: string
  values: readonly string[]
  fallback: string
}

export function describeSettings(): SettingDescription[] {
  return Object.entries(settings).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined)
    const bare = 'unwrap' in schema ? schema.unwrap() : schema
    return {
      name,
      meaning: schema.description ?? '',
      values: bare instanceof z.ZodEnum ? bare.options : [],
      fallback: fallback.success ? String(fallback.data ?? '') : '',
    }
  })
}
