import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Options } from 'autocannon'
import type { FastifyInstance } from 'fastify'

/** A server in a process of its own, so that its CPU time is its own; bundled, as users get it. */
export interface Server {
  address: string
  /** Microseconds of CPU it has spent. */
  cpu(): Promise<number>
  stop(): void
}

export type Servers = Readonly<Record<string, () => FastifyInstance | Promise<FastifyInstance>>>

/** In the child process of a benchmark: serves what it was started for. False in the benchmark itself. */
export async function serveInChild(servers: Servers): Promise<boolean> {
  const kind = process.argv[2]
  if (!kind || !process.send) return false
  const app = await servers[kind]!()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
  process.send({ address })
  return true
}

interface ServerProcess {
  execArgv?: string[]
  /** The open file that its log goes to. */
  log?: number | undefined
}

export async function startServer(
  file: string,
  kind: string,
  { execArgv = [], log }: ServerProcess = {},
): Promise<Server> {
  const { bundle } = await import('./bundle.ts')
  const child: ChildProcess = fork(await bundle(file), [kind], {
    execArgv,
    stdio: ['ignore', log ?? 'inherit', 'inherit', 'ipc'],
  })
  const [{ address }] = await once(child, 'message')
  return {
    address,
    async cpu() {
      child.send('cpu')
      const [{ cpu }] = await once(child, 'message')
      return cpu.user + cpu.system
    },
    stop: () => child.kill(),
  }
}

export interface Comparison {
  title: string
  rounds: number
  /** Requests a round and server. */
  amount: number
  /** Of the measured server over the one it is held against. */
  limit: number
}

type Request = Omit<Options, 'url' | 'amount'> & { path: string }

/** CPU per request of two servers in alternating rounds; prints the medians of both, of their ratio, and its spread. */
export async function compareServers(
  { title, rounds, amount, limit }: Comparison,
  [bare, bareRequest]: readonly [Server, Request],
  [ours, ourRequest]: readonly [Server, Request],
): Promise<number> {
  await measure(bare, bareRequest, amount)
  await measure(ours, ourRequest, amount)
  const taken: [number, number][] = []
  for (let round = 0; round < rounds; round++) {
    taken.push([await measure(bare, bareRequest, amount), await measure(ours, ourRequest, amount)])
  }
  const ratios = taken.map(([first, second]) => second / first)
  const ratio = quantile(ratios, 0.5)
  const spread = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(2))
  const [first, second] = [0, 1].map((side) =>
    quantile(
      taken.map((each) => each[side]!),
      0.5,
    ),
  )
  print(`${title}: ${second!.toFixed(1)} us against ${first!.toFixed(1)} us of CPU a request`)
  report(title, `${ratio.toFixed(2)} (quartiles ${spread.join(' to ')})`, limit)
  return ratio
}

/** The value below which a share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.round(share * (numbers.length - 1))]!
}

/** Microseconds of CPU that the server spends on a request. */
export async function measure(server: Server, { path, ...request }: Request, amount: number): Promise<number> {
  const { default: autocannon } = await import('autocannon')
  const before = await server.cpu()
  const result = await autocannon({ connections: 10, ...request, url: server.address + path, amount })
  if (result['2xx'] !== amount) throw new Error(`${result['2xx']} of ${amount} requests to ${path} succeeded`)
  return ((await server.cpu()) - before) / amount
}

/** A row of the table that `npm run bench` prints. */
export interface Row {
  what: string
  seen: string
  limit: string
}

export function report(what: string, seen: string, limit: number | string): void {
  print(`${what}: ${seen}; limit ${limit}`)
  process.send?.({ row: { what, seen, limit: String(limit) } satisfies Row })
}

/** The middle of the numbers, with their quartiles. */
export function spreadOf(numbers: readonly number[], digits = 2): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(numbers, share).toFixed(digits))
  return `${middle} (quartiles ${low} to ${high})`
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
