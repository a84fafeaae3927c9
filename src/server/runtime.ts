import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createCertificates } from './adapters/certificates/certificates.ts'
import { createTracing } from './adapters/opentelemetry/tracing.ts'
import { systemClock, systemTimer } from './adapters/node/clock.ts'
import { nodeDigests } from './adapters/node/digests.ts'
import { newSecret } from './adapters/node/random.ts'
import { createZipCodeTable } from './adapters/node/zip-codes.ts'
import { createJobQueue } from './adapters/job-queue.ts'
import { loadWithDriver, MissingDriver } from './adapters/optional-driver.ts'
import type { Engine } from './adapters/engine.ts'
import { type Config, ConfigError } from './config.ts'
import type { Ports } from './ports.ts'
import type { JobQueue } from './ports/job-queue.ts'
import type { Clock } from './ports/clock.ts'
import type { Tracing } from './ports/tracing.ts'
import type { WorldPlan } from './ports/worlds.ts'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { readFixtures } from './seed/fixtures.ts'
import { openStoredFixtures } from './seed/stored-fixtures.ts'
import { openNamedFixtures } from './seed/own-fixtures.ts'
import { readProfileFile } from './seed/profile-file.ts'
import { readSnapshotFile } from './seed/snapshot-file.ts'
import { createInitialStates } from './worlds/initial-state.ts'
import { createMemoryWorlds } from './worlds/memory-worlds.ts'
import type { WorldRegistry } from './worlds/registry.ts'
import type { WorldSettings } from './worlds/running-world.ts'
import { createStoredWorlds } from './worlds/stored-worlds.ts'
import { UnusableState } from './ports/failures.ts'
import { decodePercent } from '#contract/records/decoded-text.ts'

/** `fixtures` is the folder of the built-in fixtures. */
export async function readStartFiles({ FIXTURES = 'default', PROFILE, SNAPSHOT, SEED }: Config, fixtures: string) {
  const zipCodes = createZipCodeTable(join(fixtures, 'zip-codes.tsv.gz'))
  const builtIn = await readFixtures(fixtures)
  const known = { builtIn, zipCodes, digests: nodeDigests, now: systemClock.now(), seed: SEED }
  return {
    zipCodes,
    // Validated now, so that errors in custom fixtures do not appear only at the first reset.
    fixtures: await openNamedFixtures(FIXTURES, known),
    profile: PROFILE === undefined ? undefined : await readProfileFile(PROFILE),
    snapshot: SNAPSHOT === undefined ? undefined : await readSnapshotFile(SNAPSHOT, nodeDigests, systemClock),
  }
}

/** Chooses the adapters for all ports. `fixtures` is the folder of the built-in fixtures. */
export async function createRuntime(
  config: Config,
  fixtures: string,
  report?: (line: string) => void,
): Promise<WorldRegistry> {
  const { snapshot, ...files } = await readStartFiles(config, fixtures).catch((error: Error) => {
    throw error instanceof UnusableState ? new ConfigError(error.message) : error
  })
  const settings: WorldSettings = {
    ...files,
    clock: systemClock,
    publicUrl: config.PUBLIC_URL,
    subscriptionTtl: config.SUBSCRIPTION_TTL && config.SUBSCRIPTION_TTL * 1000,
    streamRetryMs: config.STREAM_RETRY_MS,
    usual: config.RATE_LIMIT === undefined ? {} : { 'rate-limit': { requests: config.RATE_LIMIT, per: 'PT1M' } },
  }
  const plan: WorldPlan = { name: DEFAULT_WORLD, seed: snapshot ? snapshot.seed : config.SEED }
  const { readImages } = settings.fixtures
  const engine = await openEngine(config, systemClock, (digest) => readImages?.().has(digest) ?? false, report)
  if (engine) return createStoredWorlds(settings, engine, plan, snapshot, report)
  return createMemoryWorlds(settings, plan, snapshot && (await createInitialStates(settings).fromSnapshot(snapshot)))
}

/** Each server has one queue, which the control API and the MCP tools share. */
export const createJobs: () => JobQueue = createJobQueue

/** The real time, for code that must not depend on a world's clock. */
export const realClock: Clock = systemClock

export const realTimer = systemTimer

/** Generates a key with 192 random bits. The key is valid until the process ends. */
export function newControlKey(): string {
  return newSecret(24)
}

export function newSeed(): string {
  // The command line would interpret a word with a leading hyphen as an option.
  return newSecret(6).replace(/^-/, '_')
}

/** For the wallet commands, which need no world. `authority` is the directory of the certificate authority. */
export function createWalletPorts(authority: string): Pick<Ports, 'certificates' | 'clock'> {
  return { certificates: createCertificates(authority), clock: systemClock }
}

/** Loads the tracing code only if the standard variables enable it. */
export async function openTracing(config: Config, version: string, report: (line: string) => void): Promise<Tracing> {
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  const isOff = config.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || (config.OTEL_TRACES_EXPORTER ?? 'otlp') !== 'otlp'
  if (url === undefined || isOff) return createTracing(version)
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    const kind = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT === undefined ? '' : 'TRACES_'
    const setting = `OTEL_EXPORTER_OTLP_${kind}ENDPOINT`
    report(`traces are off: ${setting} must be a URL such as http://localhost:4318`)
    return createTracing(version)
  }
  const { createExporting } = await import('./adapters/opentelemetry/exporting.ts')
  return createTracing(version, createExporting(url, version, report))
}

/** Returns undefined for worlds in memory. Loaded on demand, because most servers do not use an engine. */
export async function openEngine(
  { DATA_DIR, DATABASE_URL }: Partial<Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>>,
  real: Clock,
  isOfFixtures: (digest: string) => boolean = () => false,
  report?: (line: string) => void,
): Promise<Engine | undefined> {
  if (DATABASE_URL !== undefined) {
    const { createPostgresEngine } = await loadWithDriver('pg', () => import('./adapters/postgres/engine.ts'))
    return createPostgresEngine(DATABASE_URL, real).catch((error: Error) => {
      const fix = suggestFix(error.cause, DATABASE_URL)
      const says = describeConnection(error.cause, DATABASE_URL) ?? (fix && `${error.message}. To fix it: ${fix}`)
      throw says === undefined ? error : new UnusableState(says, { cause: error })
    })
  }
  if (DATA_DIR === undefined) return undefined
  const { createDiskEngine } = await import('./adapters/disk/engine.ts')
  return createDiskEngine(DATA_DIR, nodeDigests, openStoredFixtures, isOfFixtures, report)
}

export interface DatabaseStatus {
  says?: string
  error?: string
  fix?: string | undefined
}

/** Checks an existing directory and its data file. Throws UnusableState if they cannot be used. */
export async function checkDataFile(directory: string): Promise<void> {
  const { checkDirectory, DATA_FILE, openDataFile } = await import('./adapters/disk/data-file.ts')
  if (existsSync(directory)) await checkDirectory(directory)
  if (existsSync(join(directory, DATA_FILE))) await (await openDataFile(directory)).close()
}

/** Does not change the database. Messages do not contain the password of its address. */
export async function askDatabase(url: string): Promise<DatabaseStatus> {
  try {
    const { lookAtPostgres } = await loadWithDriver('pg', () => import('./adapters/postgres/look.ts'))
    return await lookAtPostgres(url)
  } catch (error) {
    if (error instanceof MissingDriver) return { error: error.message, fix: `npm install ${error.driver}` }
    const says = withoutPassword(error as NodeJS.ErrnoException, url)
    // These messages contain the fix.
    if (error instanceof UnusableState || says === describeConnection(error, url)) return { error: says }
    return { error: says, fix: suggestFix(error, url) ?? 'psql "$DATABASE_URL" -c "select 1"' }
  }
}

/** Replaced completely, because gaps in the message could reveal a short password. */
function withoutPassword(error: NodeJS.ErrnoException, url: string): string {
  const { message, code = 'no response' } = error
  const says = describeConnection(error, url)
  if (says !== undefined) return says
  const { password } = new URL(url)
  const isHeld = [password, decodePercent(password)].some((each) => each !== '' && message.includes(each))
  return message === '' || isHeld ? code : message
}

/** Returns undefined unless the error is from the network, or the driver needs a password. */
function describeConnection(error: unknown, url: string): string | undefined {
  const { code, syscall, message } = Object(error) as NodeJS.ErrnoException
  if (/client password must be/.test(message))
    return 'DATABASE_URL has no password. Add it: postgres://user:password@host/database'
  if (syscall === undefined) return undefined
  const { hostname, port, pathname } = new URL(url)
  // In postgres://me:1/2@host, the parser mistakes the user and a part of the password for the host and port.
  const at = pathname.includes('@') ? '' : ` at ${hostname}:${port || 5432}`
  return `no database responds${at} (${code}). Check DATABASE_URL`
}

/** Returns undefined unless the database is missing or full, or its user lacks a right. */
function suggestFix(error: unknown, url: string): string | undefined {
  const { code, message } = Object(error) as NodeJS.ErrnoException
  const { hostname, port, pathname, username } = new URL(url)
  const name = decodePercent(pathname.slice(1)) || username
  const at = `-h ${hostname} -p ${port || 5432}`
  if (code === '3D000') return `createdb ${at} '${name}'`
  if (code === '53300')
    return 'increase the connection limit, such as max_connections. Each instance uses up to 15 connections'
  if (code !== '42501') return undefined
  if (!message.includes(' for database ')) {
    return (
      'set the user of DATABASE_URL to the owner of the schema vendor_cloud. ' +
      'If the schema is empty, this user also needs the right CREATE on the database'
    )
  }
  return `psql ${at} -c 'GRANT CREATE ON DATABASE "${name}" TO "${decodePercent(username)}"' '${name}'`
}
