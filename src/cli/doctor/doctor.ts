import { access, constants, lstat, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { type Config, ConfigError, describeIgnoredOpen, environmentWith, readConfig } from '#server/config.ts'
import { askDatabase, checkDataFile } from '#server/runtime.ts'
import { checkFiles } from '#server/server.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { fetchOwn, jsonOption, ownAddress } from '../client/client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, show } from '../input-output.ts'
import { checkNodeVersion } from '../oldest-node.ts'
import { createDirectFetch } from '../client/loopback.ts'

interface Diagnosis {
  what: string
  state: 'ok' | 'note' | 'fault'
  says: string
  fix?: string
}

export const doctor = defineCommand({
  options: jsonOption,
  example: 'doctor',
  async run({ values }, output) {
    const checks = await diagnose()
    const isFaulty = checks.some(({ state }) => state === 'fault')
    show({ healthy: !isFaulty, checks }, values.json, output, () =>
      checks.map((check, at) => toLines(check, checks[at + 1]?.fix)).join(''),
    )
    return isFaulty ? exitCodes.findings : exitCodes.ok
  },
})

const marks = { ok: 'ok   ', note: 'note ', fault: 'FAULT' } as const

/** A fix that the next check repeats is printed once. */
function toLines({ what, state, says, fix }: Diagnosis, next?: string): string {
  // A message may contain text from a file.
  const line = `${marks[state]} ${what.padEnd(10)} ${toLinePart(says)}\n`
  return fix === undefined || fix === next ? line : `${line}${' '.repeat(17)}${fix}\n`
}

const ok = (what: string, says: string): Diagnosis => ({ what, state: 'ok', says })
const fault = (what: string, says: string, fix?: string): Diagnosis => ({
  what,
  state: 'fault',
  says,
  ...(fix !== undefined && { fix }),
})
const note = (what: string, says: string, fix: string): Diagnosis => ({ what, state: 'note', says, fix })

async function diagnose(): Promise<Diagnosis[]> {
  const { config, invalid, settings } = readSettings()
  return [
    checkNode(process.versions.node),
    ...settings,
    ...checkControl(config),
    ...(await checkFileSettings(config)),
    invalid.includes('PORT') || invalid.includes('HOST')
      ? note('port', 'not checked, because PORT or HOST is invalid', LIST_OF_SETTINGS)
      : await checkPort(config),
    ...(await checkDataFolder(config)),
    ...(await checkDatabase(config)),
    ...checkPackages(config),
  ]
}

export function checkNode(version: string): Diagnosis {
  const old = checkNodeVersion(version)
  return old ? fault('node', old.says, old.fix) : ok('node', version)
}

/** The other checks use the default values of invalid settings. */
function readSettings(): { config: Config; invalid: readonly string[]; settings: Diagnosis[] } {
  try {
    return { config: readConfig(), invalid: [], settings: [ok('settings', 'all settings are valid')] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { message, settings: invalid } = error
    const pair = invalid.some((name) => name.startsWith('TLS_')) ? ['TLS_CERT', 'TLS_KEY'] : []
    const config = readConfig(environmentWith(Object.fromEntries([...invalid, ...pair].map((name) => [name, '']))))
    return { config, invalid, settings: toFaults('settings', message) }
  }
}

const LIST_OF_SETTINGS = 'docs/command-line.md lists each setting'

function checkControl(config: Config): Diagnosis[] {
  const ignored = describeIgnoredOpen(config)
  return ignored === undefined ? [] : [note('settings', ignored, 'Unset CONTROL or CONTROL_KEY')]
}

/** One fault per line of the message. */
const toFaults = (what: string, message: string) =>
  message.split('\n').map((says) => fault(what, says, LIST_OF_SETTINGS))

async function checkFileSettings(config: Config): Promise<Diagnosis[]> {
  const messages = await checkFiles(config)
  if (messages.length === 0) return [ok('files', 'all files named by valid settings are valid')]
  return toFaults('files', messages.join('\n'))
}

async function checkPort(config: Config): Promise<Diagnosis> {
  const { HOST, PORT } = config
  const at = `${HOST}:${PORT}`
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(PORT, HOST, () => server.close(() => resolve(undefined)))
  })
  if (!error) return ok('port', `${at} is free`)
  if (error.code === 'EADDRINUSE') {
    if (!(await isVendorCloud(config)))
      return fault('port', `${at} is used by another program`, 'npx --no vendor-cloud serve --port 0')
    return fault('port', `${at} is used by a vendor-cloud server`, 'To check that server: npx --no vendor-cloud health')
  }
  if (error.code === 'EACCES')
    return fault('port', `${at} needs root privileges`, 'npx --no vendor-cloud serve --port 8080')
  return fault('port', `${HOST} is not an address of this machine`, 'npx --no vendor-cloud serve --host 127.0.0.1')
}

async function isVendorCloud(config: Config): Promise<boolean> {
  const ask = config.TLS_CERT === undefined ? createDirectFetch() : fetchOwn
  try {
    const response = await ask(`${ownAddress(config)}/health/live`, { signal: AbortSignal.timeout(2000) })
    return (await response.text()).includes('"status":"live"')
  } catch {
    return false
  }
}

/** Minimum free disk space in bytes. With less space, images would soon fill the disk. */
const LEAST_ROOM = 100 * 1024 * 1024

/** Checks the directory, or the parent in which the directory would be created. Writes nothing. */
async function checkDataFolder({ DATA_DIR }: Config): Promise<Diagnosis[]> {
  if (DATA_DIR === undefined) return []
  const found = await stat(DATA_DIR).catch(() => undefined)
  const isLink = (await lstat(DATA_DIR).catch(() => undefined))?.isSymbolicLink() === true
  if (isLink && !found) return [fault('data', `${DATA_DIR} is a broken symbolic link`, `ls -l '${DATA_DIR}'`)]
  if (found && !found.isDirectory()) return [fault('data', `${DATA_DIR} is not a directory`, 'DATA_DIR=./data')]
  const folder = found ? DATA_DIR : await nearestFolder(DATA_DIR)
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [fault('data', `the current user cannot write to ${folder}`, 'DATA_DIR=./data')]
  }
  const { bavail, bsize } = await statfs(folder)
  const room = Math.floor((bavail * bsize) / 1024 / 1024)
  if (bavail * bsize < LEAST_ROOM) return [fault('data', `${folder} has ${room} MB free`, `df -h '${folder}'`)]
  if (isInstalled(packages.DATA_DIR)) {
    const { message } = await checkDataFile(DATA_DIR).then(
      () => ({ message: '' }),
      (error: Error) => error,
    )
    if (message !== '') return [fault('data', message, 'docs/troubleshooting.md lists the causes')]
  }
  const kind = isLink ? 'a symbolic link to a directory' : found ? 'a directory' : 'created at start'
  return [ok('data', `${DATA_DIR} is ${kind} with ${room} MB free`)]
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  const isThere = (await stat(parent).catch(() => undefined))?.isDirectory()
  return isThere || parent === path ? parent : nearestFolder(parent)
}

/** Messages do not contain the URL, because it may contain a password. */
async function checkDatabase({ DATABASE_URL }: Config): Promise<Diagnosis[]> {
  if (DATABASE_URL === undefined) return []
  const { says, error, fix } = await askDatabase(DATABASE_URL)
  return [error === undefined ? ok('postgres', says ?? 'connected') : fault('postgres', error, fix)]
}

const packages = { DATA_DIR: '@photostructure/sqlite', DATABASE_URL: 'pg' } as const

function checkPackages(config: Config): Diagnosis[] {
  return Object.entries(packages).map(([setting, name]) => {
    if (isInstalled(name)) return ok('packages', `${name} is installed`)
    const report = config[setting as keyof typeof packages] === undefined ? note : fault
    return report('packages', `${name} is not installed. ${setting} needs it`, `npm install ${name}`)
  })
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
