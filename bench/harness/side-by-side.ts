import type { Options } from 'autocannon'
import type { FastifyInstance } from 'fastify'
import { bundle } from './bundle.ts'
import { startProgram } from './measured-server.ts'

export interface Server {
  address: string
  cpu(): Promise<number>
  stop(): void
}

export type Servers = Readonly<Record<string, () => FastifyInstance | Promise<FastifyInstance>>>

/**
 * In a child process, starts the server and resolves with true. In the process of the benchmark, resolves with false.
 */
export async function serveInChild(servers: Servers): Promise<boolean> {
  const kind = process.argv[2]
  if (!kind || !process.send) return false
  const app = await servers[kind]!()
  await app.listen({ port: 0, host: '127.0.0.1' })
  return true
}

/** The server is bundled in the same way as the published one. */
export async function startServer(file: string, kind: string, execArgv: readonly string[] = []): Promise<Server> {
  const server = await startProgram({ program: await bundle(file), args: [kind], execArgv })
  return {
    address: server.address,
    cpu: async () => (await server.spent()).cpu,
    stop: () => void server.stop(),
  }
}

type Request = Omit<Options, 'url' | 'amount'> & { path: string }

export function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.round(share * (numbers.length - 1))]!
}

export async function measure(server: Server, { path, ...request }: Request, amount: number): Promise<number> {
  const { default: autocannon } = await import('autocannon')
  const before = await server.cpu()
  const result = await autocannon({ timeout: 60, connections: 10, ...request, url: server.address + path, amount })
  if (result['2xx'] !== amount) throw new Error(`${result['2xx']} of ${amount} requests to ${path} succeeded`)
  return ((await server.cpu()) - before) / amount
}

export interface Row {
  what: string
  seen: string
  limit: string
}

export function report(what: string, seen: string, limit: number | string): void {
  print(`${what}: ${seen}; limit ${limit}`)
  process.send?.({ row: { what, seen, limit: String(limit) } satisfies Row })
}

export function spreadOf(numbers: readonly number[], digits = 2): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(numbers, share).toFixed(digits))
  return `${middle} (quartiles ${low} to ${high})`
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
