import { access, constants, lstat, readFile, stat, statfs } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { describeFailure } from '../../contract/failures.ts'
import { type Config, readProxyVariables, reachable } from '../../server/config.ts'
import { FIXTURES } from '../../server/package-files.ts'
import { askDatabase, judgeFiles, realClock } from '../../server/runtime.ts'
import { judgeNode } from '../oldest-node.ts'

/** `mend` is the line that mends it, or helps. */
export interface Diagnosis {
  what: string
  state: 'ok' | 'note' | 'fault'
  says: string
  mend?: string
}

/** With less room a world that keeps images soon has none. */
const LEAST_ROOM = 100 * 1024 * 1024
/** No working clock is behind the day on which this was written. */
const WRITTEN = Date.UTC(2026, 0, 1)
/** Clocks of two machines may differ by this much. */
const TOLERANCE = 60_000

const ok = (what: string, says: string): Diagnosis => ({ what, state: 'ok', says })
const fault = (what: string, says: string, mend: string): Diagnosis => ({ what, state: 'fault', says, mend })
const note = (what: string, says: string, mend: string): Diagnosis => ({ what, state: 'note', says, mend })

export function checkNode(version: string): Diagnosis {
  const old = judgeNode(version)
  return old ? fault('node', old.says, old.mend) : ok('node', version)
}

/** The port is taken for a moment and given back. */
export async function checkPort({ HOST, PORT, TLS_CERT }: Config): Promise<Diagnosis> {
  const at = `${HOST}:${PORT}`
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(PORT, HOST, () => server.close(() => resolve(undefined)))
  })
  if (!error) return ok('port', `${at} is free`)
  if (error.code === 'EADDRINUSE' && (await isOurs(HOST, PORT, TLS_CERT !== undefined))) {
    return fault('port', `a vendor-cloud answers at ${at} already`, 'vendor-cloud --port 0')
  }
  if (error.code === 'EADDRINUSE') return fault('port', `${at} is in use by another program`, 'vendor-cloud --port 0')
  if (error.code === 'EACCES') return fault('port', `${at} needs rights of root`, 'vendor-cloud --port 8080')
  return fault('port', `${HOST} is no address of this machine`, 'vendor-cloud --host 127.0.0.1')
}

/** A server with HTTPS is not asked further, since its certificate may have another name. */
async function isOurs(host: string, port: number, isSecure: boolean): Promise<boolean> {
  if (isSecure) return false
  const { hostname } = new URL(`http://${reachable(host)}`)
  return new Promise((resolve) => {
    const socket = connect(port, hostname.replace(/^\[|\]$/g, ''))
    let text = ''
    const end = (): void => {
      socket.destroy()
      resolve(/"status":"live"/.test(text))
    }
    socket.setTimeout(2000, end)
    socket.on('error', end).on('end', end)
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
      if (text.length > 10_000 || text.includes('}')) end()
    })
    socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  })
}

/** statfs tells these magic numbers for NFS, SMB, CIFS and 9P, on which locks are unreliable. */
const REMOTE: readonly number[] = [0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997]

/** Looks at the folder, or at the one that would hold it, and writes nothing. */
export async function checkDataFolder({ DATA_DIR }: Config): Promise<Diagnosis[]> {
  if (DATA_DIR === undefined) return []
  const found = await stat(DATA_DIR).catch(() => undefined)
  const isLink = (await lstat(DATA_DIR).catch(() => undefined))?.isSymbolicLink() === true
  if (isLink && !found) return [fault('data', `${DATA_DIR} is a link that leads nowhere`, `ls -l '${DATA_DIR}'`)]
  if (found && !found.isDirectory()) return [fault('data', `${DATA_DIR} is no folder`, 'DATA_DIR=./data')]
  const folder = found ? DATA_DIR : await nearestFolder(DATA_DIR)
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return [fault('data', `this user may not write to ${folder}`, `sudo chown "$(id -u)" '${folder}'`)]
  }
  const { bavail, bsize, files, ffree, type } = await statfs(folder)
  const room = Math.floor((bavail * bsize) / 1024 / 1024)
  if (bavail * bsize < LEAST_ROOM) return [fault('data', `${folder} has ${room} MB left`, `df -h '${folder}'`)]
  if (files > 0 && ffree === 0) return [fault('data', `${folder} takes no further file`, `df -i '${folder}'`)]
  if (REMOTE.includes(type >>> 0)) {
    return [note('data', `${folder} lies on another machine: SQLite may lose what it keeps there`, 'DATA_DIR=./data')]
  }
  const kind = isLink ? 'a link to a folder' : found ? 'there' : 'made at the start'
  return [ok('data', `${DATA_DIR} is ${kind}, with ${room} MB left`)]
}

/** Reads the files as a start does. */
export async function checkFiles(config: Config): Promise<Diagnosis[]> {
  const faults = await judgeFiles(config, FIXTURES)
  return faults.map(({ setting, error }) => {
    const path = String(config[setting as keyof Config])
    const reasons = error.split('\n').map((line) => (line.startsWith(`${path}: `) ? line.slice(path.length + 2) : line))
    return fault(
      'files',
      `${setting}=${path}: ${reasons.join('; ')}`,
      'docs/configuration.md has what the setting takes',
    )
  })
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  const isThere = (await stat(parent).catch(() => undefined))?.isDirectory()
  return isThere || parent === path ? parent : nearestFolder(parent)
}

/** No message repeats the address, because it may hold a password; `psql` says more about a failure. */
export async function checkDatabase({ DATABASE_URL }: Config): Promise<Diagnosis[]> {
  if (DATABASE_URL === undefined) return []
  const { says, error, missing, now } = await askDatabase(DATABASE_URL)
  if (error !== undefined) {
    return [fault('postgres', error, missing ? `npm install ${missing}` : 'psql "$DATABASE_URL" -c "select 1"')]
  }
  if (now !== undefined && Math.abs(now - realClock.now()) > TOLERANCE) {
    const seconds = Math.round((now - realClock.now()) / 1000)
    return [fault('postgres', `its clock is ${seconds} s from this machine's`, 'timedatectl set-ntp true')]
  }
  return [ok('postgres', says ?? 'it answers')]
}

export function checkClock(): Diagnosis {
  const now = realClock.now()
  const instant = new Date(now).toISOString()
  if (now < WRITTEN) return fault('clock', `this machine says ${instant}, which is over`, 'timedatectl set-ntp true')
  return ok('clock', instant)
}

export async function checkCertificate({ TLS_CERT, TLS_KEY }: Config): Promise<Diagnosis[]> {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return []
  const make = 'openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=localhost -keyout key.pem -out cert.pem'
  try {
    const bytes = await readFile(TLS_CERT).catch(unreadable('TLS_CERT', TLS_CERT))
    const certificate = readCertificate(bytes)
    if (!certificate) return [fault('tls', `TLS_CERT=${TLS_CERT} holds no certificate`, make)]
    await access(TLS_KEY, constants.R_OK).catch(unreadable('TLS_KEY', TLS_KEY))
    const until = new Date(certificate.validTo)
    if (until.getTime() > realClock.now()) return [ok('tls', `good until ${until.toISOString()}`)]
    return [fault('tls', `TLS_CERT ended on ${until.toISOString()}`, make)]
  } catch (error) {
    return [fault('tls', (error as Error).message, make)]
  }
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes)
  } catch {
    return undefined
  }
}

const unreadable = (setting: string, file: string) => (error: Error) => {
  throw new Error(`${setting}=${file} cannot be read: ${describeFailure(error)}`, { cause: error })
}

/** Clients that honor these variables send calls for this machine elsewhere. */
export function checkProxies(): Diagnosis[] {
  const { set, spares } = readProxyVariables()
  if (set.length === 0) return []
  const says = `${set.join(', ')} ${set.length > 1 ? 'are' : 'is'} set`
  if (spares) return [ok('proxy', `${says}, and NO_PROXY names this machine`)]
  const mend = 'export NO_PROXY=localhost,127.0.0.1,::1'
  return [note('proxy', `${says}, and NO_PROXY does not name this machine: clients may ask the proxy for it`, mend)]
}
