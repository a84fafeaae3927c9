/**
 * Measures the time from the start of the built program until it returns its first list of tickets. Measures it with
 * 100,000 stored tickets and with only the fixtures, after a clean stop and after `kill -9`, in alternating rounds.
 * Also reports the memory, and the CPU time, which is more reliable on a busy machine. Limit: 2 s. Run: npm run build
 * && npx tsx bench/start-durable.ts [main.js of another build]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { print, quantile, report } from './harness/side-by-side.ts'

interface Start {
  milliseconds: number
  /** Includes all threads, and child processes that have ended. */
  cpu: number
  /** Memory in MB. `own` excludes the pages of files. */
  resident: number
  own: number
}

type Fields = Record<string, unknown>

const ROUNDS = 9
const TICKETS = 100_000
const ROOT = join(import.meta.dirname, '..')
const FIXTURES = join(ROOT, 'fixtures')
const program = process.argv[2] ?? join(ROOT, 'dist/main.js')
const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-bench-'))
const starts: Record<string, Start[]> = {}

try {
  writeFixtures(join(folder, 'many'))
  await start('few', 'SIGTERM')
  await start('many', 'SIGTERM', { FIXTURES: join(folder, 'many') })
  for (let round = 0; round < ROUNDS; round++) {
    // After a kill, the next server must check the data directory.
    for (const name of ['few', 'many'] as const) {
      keep(`${name} tickets, stopped`, await start(name, 'SIGKILL'))
      keep(`${name} tickets, killed`, await start(name, 'SIGTERM'))
    }
  }
  for (const [kind, all] of Object.entries(starts)) {
    const [wall, cpu, resident, own] = (['milliseconds', 'cpu', 'resident', 'own'] as const).map((name) => {
      const numbers = all.map((each) => each[name])
      const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(numbers, share).toFixed(0))
      return `${middle} (${low} to ${high})`
    })
    if (kind.startsWith('many')) report(`start with 100,000 kept tickets, ${kind}, ms`, wall!, 2000)
    print(`${kind.padEnd(21)} ${wall} ms, ${cpu} ms of CPU; ${resident} MB resident, ${own} MB its own`)
  }
  print(`limit 2000 ms; load of the machine ${loadavg()[0]!.toFixed(1)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function keep(kind: string, start: Start): void {
  starts[kind] ??= []
  starts[kind].push(start)
}

function writeFixtures(target: string): void {
  cpSync(FIXTURES, target, { recursive: true })
  const templates = read('tickets.json')
  const customers = read('customers.json').map(
    ({ firstNameKey: _1, lastNameKey: _2, zip5: _3, ...customer }) => customer,
  )
  const tickets = Array.from({ length: TICKETS }, (_, i) => {
    const template = templates[i % templates.length]!
    const near = customers.filter(({ companyId }) => companyId === template['companyId'])
    const customer = near[(i * 17) % near.length]!
    const createdAt = `-P${(i * 7919) % 900}DT${i % 24}H${(i * 13) % 60}M`
    return {
      ...template,
      // The factor and the modulus have no common divisor, so every number occurs once and not in ascending order.
      srid: String(5_000_000_000 + ((i * 48_271) % 1_000_003)),
      ticketNumber: String(8_500_000_000 + ((i * 69_621) % 1_000_003)),
      bpNo: customer['bpNo'],
      phoneNumber: customer['phoneNumber'],
      customer,
      createdAt,
      updatedAt: createdAt,
    }
  })
  writeFileSync(join(target, 'tickets.json'), JSON.stringify([...templates, ...tickets]))
}

function read(file: string): Fields[] {
  return JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as Fields[]
}

/** Sends this signal to the server after it has returned its first list. */
async function start(name: 'few' | 'many', signal: NodeJS.Signals, more: Record<string, string> = {}): Promise<Start> {
  const started = performance.now()
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: join(folder, 'data', name), ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const headers = { 'request-source': 'vendor.com', 'vendorus-profId': 'dealer-erin' }
    const reply = await fetch(`${await addressOf(child)}/stg/us/dealer/tickets`, { headers })
    const { totalCount } = (await reply.json()) as { totalCount: number }
    const milliseconds = performance.now() - started
    const least = name === 'many' ? TICKETS / 3 : 1
    if (reply.status !== 200 || totalCount < least) throw new Error(`answered ${reply.status}, ${totalCount} tickets`)
    return { milliseconds, ...costOf(child.pid!) }
  } finally {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}

function costOf(pid: number): Omit<Start, 'milliseconds'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024
  const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 17).map(Number)
  // Linux reports hundredths of a second.
  const cpu = times.reduce((sum, each) => sum + each) * 10
  return { cpu, resident: megabytes('VmRSS'), own: megabytes('RssAnon') }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      const [address] = /http:\/\/[\d.]+:\d+/.exec(text) ?? []
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)))
  })
}
