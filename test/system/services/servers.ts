import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate database on its own port. Tests may disrupt this database. */
export interface PrivateServer {
  url: string
  port: number
  /** Suspends the server until it is thawed. To clients, this looks like a cut cable. */
  freeze(): void
  thaw(): void
  /** Kills the server, as in a power failure, and waits until it has ended. */
  kill(): Promise<void>
  /** Starts the server again on the same port and with its data. */
  start(): Promise<void>
  remove(): Promise<void>
}

/** Maximum milliseconds until a request is rejected. The documentation promises 2 seconds. */
export const REJECTED_WITHIN = 2000

/** `fsync` is off by default, because these tests do not simulate power failures. */
export async function startPostgres({
  address = '127.0.0.1',
  fsync = 'off',
}: {
  address?: string | undefined
  fsync?: 'on' | 'off'
} = {}): Promise<PrivateServer> {
  const folder = makeFolder('postgres')
  const port = await findPort()
  const data = join(folder, 'data')
  runAs('postgres', [postgresProgram('initdb'), '-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  appendFileSync(join(data, 'pg_hba.conf'), `host all all ${address}/24 trust\n`)
  const options = {
    port,
    listen_addresses: address,
    unix_socket_directories: '',
    fsync,
    max_connections: 100,
  }
  const settings = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = asUser('postgres', [postgresProgram('postgres'), '-D', data, ...settings])
  return manage(`postgres://test@${address}:${port}/postgres`, port, folder, command, 'ready to accept connections')
}

async function manage(
  url: string,
  port: number,
  folder: string,
  [command = '', ...args]: readonly string[],
  sign: string,
): Promise<PrivateServer> {
  let child: ChildProcess
  const start = async () => {
    child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    await untilSaid(child, sign)
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    signalAll(child.pid!, 'SIGKILL')
    await ended
  }
  await start()
  return {
    url,
    port,
    freeze: () => signalAll(child.pid!, 'SIGSTOP'),
    thaw: () => signalAll(child.pid!, 'SIGCONT'),
    kill,
    start,
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Each child process of a database has its own process group. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const { stdout: children } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  for (const each of [pid, ...children.split('\n').filter(Boolean).map(Number)]) {
    try {
      process.kill(each, signal)
    } catch {
      // The process has ended in the meantime.
    }
  }
}

function untilSaid(child: ChildProcess, sign: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const read = (chunk: Buffer) => {
      said += chunk
      if (said.includes(sign)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)))
  })
}

function makeFolder(kind: string): string {
  const folder = mkdtempSync(join(tmpdir(), `vendor-cloud-${kind}-`))
  chmodSync(folder, 0o777)
  return folder
}

/** Debian installs these programs in a folder for each version. These folders are not in PATH. */
function postgresProgram(name: string): string {
  const versions = readdirSync('/usr/lib/postgresql').map(Number)
  return `/usr/lib/postgresql/${Math.max(...versions)}/bin/${name}`
}

/** PostgreSQL does not run as root. */
function asUser(user: string, command: readonly string[]): string[] {
  return process.getuid?.() === 0
    ? ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...command]
    : [...command]
}

function runAs(user: string, command: readonly string[]): void {
  const [program = '', ...args] = asUser(user, command)
  execFileSync(program, args, { stdio: 'pipe' })
}

/** The system does not assign these ports to outgoing connections, so a server's port stays free while it restarts. */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
