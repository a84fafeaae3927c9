/**
 * Measures the CPU time per request of several servers in such a way that other work on the machine has little effect.
 * Each server handles slices of several hundred requests, in random order, so that other work affects all servers
 * equally. This is repeated in several runs with new processes, because the code that V8 generates differs between
 * processes by several percent.
 */
import type { Dispatcher } from 'undici'
import { type MeasuredServer, type Program, type Spent, startProgram } from './measured-server.ts'
import { print, quantile, report } from './side-by-side.ts'

const SLICES = 20
const AMOUNT = 600
/** After this number of requests, V8 has compiled the code that is used often. */
const WARM_UP = 6000
/** An interval of two standard errors contains 19 of 20 results. */
const SURE = 2

export interface Contestant extends Program {
  name: string
  /** Maximum ratio of its CPU time to that of the first contestant. */
  limit?: number
  /** If there are several paths, they are requested in rotation. */
  path: string | readonly string[]
  method?: Dispatcher.HttpMethod
  headers: Record<string, string>
  /** Called for each new process. The returned bodies are sent in rotation. */
  bodies?: (address: string) => Promise<readonly string[]>
  /** Called before the first request to each new process. */
  prepare?: (address: string) => Promise<void>
  /** Called before each slice. Its CPU time is not measured. */
  change?: (address: string) => Promise<void>
  /** Called after the last request to each process. */
  check?: (address: string) => Promise<void>
}

export interface Comparison {
  title: string
  connections: number
  /** Number of runs with new processes, because the code that V8 generates differs between processes. */
  runs: number
}

interface Runner extends MeasuredServer {
  ask(amount: number): Promise<void>
  change(): Promise<void>
  check(): Promise<void>
}

interface Cost {
  whole: number
  withoutCollections: number
}

interface Estimate {
  ratio: number
  within: number
  ofProcesses: number
}

/** The first contestant is the baseline. Each ratio is reported with its spread. */
export async function compareInSlices(comparison: Comparison, contestants: readonly Contestant[]): Promise<void> {
  const { title, connections } = comparison
  const runs: Cost[][] = []
  while (runs.length < comparison.runs) {
    const costs = await measureRun(contestants, connections)
    runs.push(costs)
    const each = costs.map(({ whole }, i) => `${contestants[i]!.name} ${whole.toFixed(1)}`)
    print(`run ${runs.length} of ${comparison.runs}, us of CPU a request: ${each.join(', ')}`)
  }
  const compare = (i: number, against: number) => {
    const differences = (cost: keyof Cost) => runs.map((costs) => Math.log(costs[i]![cost] / costs[against]![cost]))
    return `${say(differences('whole'))}; without collections ${say(differences('withoutCollections'))}`
  }
  for (const [i, { name, limit }] of contestants.entries()) {
    if (i > 0) report(contestants.length > 2 ? `${title}, ${name}` : title, compare(i, 0), limit ?? '')
    if (i > 1) report(`${title}, ${contestants[i - 1]!.name} against ${name}`, compare(i - 1, i), '')
  }
}

function say(differences: readonly number[]): string {
  const { ratio, within, ofProcesses } = estimate(differences)
  return `${ratio.toFixed(2)} (within ${percent(within)}; a process differs by ${percent(ofProcesses)})`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}

/**
 * Least squares of `log(CPU) = run + program + rest`. If every run contains every program, the solution is the mean of
 * the differences in the runs, and the rest is the deviation from this mean.
 */
function estimate(differences: readonly number[]): Estimate {
  const count = differences.length
  const mean = differences.reduce((sum, each) => sum + each, 0) / count
  const rest = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1)
  return {
    ratio: Math.exp(mean),
    within: SURE * Math.sqrt(rest / count),
    // The difference between two processes has the sum of their variances.
    ofProcesses: Math.sqrt(rest / 2),
  }
}

async function measureRun(contestants: readonly Contestant[], connections: number): Promise<Cost[]> {
  const runners: Runner[] = []
  try {
    // The first contestant is started last, because it may need responses of the others.
    for (const contestant of contestants.toReversed()) runners.unshift(await start(contestant, connections))
    for (const runner of runners) await runner.ask(WARM_UP)
    const slices = runners.map((): Spent[] => [])
    for (let slice = 0; slice < SLICES; slice++) {
      for (const i of shuffle(runners.keys())) slices[i]!.push(await measureSlice(runners[i]!))
    }
    for (const runner of runners) await runner.check()
    return slices.map(costOf)
  } finally {
    await Promise.all(runners.map((runner) => runner.stop()))
  }
}

async function measureSlice(runner: Runner): Promise<Spent> {
  await runner.change()
  const before = await runner.spent()
  await runner.ask(AMOUNT)
  const after = await runner.spent()
  return { cpu: after.cpu - before.cpu, collections: after.collections }
}

function costOf(slices: readonly Spent[]): Cost {
  const amount = slices.length * AMOUNT
  const cpu = slices.reduce((sum, spent) => sum + spent.cpu, 0)
  return { whole: cpu / amount, withoutCollections: (cpu - costOfCollections(slices)) / amount }
}

/** The elapsed time includes work of other processes, so each garbage collection counts as the median of its kind. */
function costOfCollections(slices: readonly Spent[]): number {
  const kinds = new Map<number, number[]>()
  for (const { kind, duration } of slices.flatMap(({ collections }) => collections)) {
    kinds.set(kind, [...(kinds.get(kind) ?? []), duration])
  }
  return [...kinds.values()].reduce((sum, each) => sum + 1000 * each.length * quantile(each, 0.5), 0)
}

async function start(contestant: Contestant, connections: number): Promise<Runner> {
  const { name, path, method = 'GET', headers, prepare, change, check } = contestant
  const paths = [path].flat()
  const server = await startProgram(contestant)
  await prepare?.(server.address)
  const bodies = (await contestant.bodies?.(server.address)) ?? [null]
  // Imported only here, because the server of a benchmark may be bundled from the same file, and a server needs no
  // client.
  const { Pool } = await import('undici')
  const pool = new Pool(server.address, { connections, pipelining: 1 })
  let count = 0
  const askOne = async () => {
    const [asked, body] = [paths[count % paths.length]!, bodies[count % bodies.length]!]
    count++
    const reply = await pool.request({ path: asked, method, headers, body })
    await reply.body.dump()
    if (reply.statusCode !== 200) throw new Error(`${name} answers ${reply.statusCode} to ${asked}`)
  }
  return {
    ...server,
    async ask(amount) {
      let left = amount
      const line = async () => {
        while (left-- > 0) await askOne()
      }
      await Promise.all(Array.from({ length: connections }, line))
    },
    change: async () => change?.(server.address),
    check: async () => check?.(server.address),
    async stop() {
      await pool.destroy()
      await server.stop()
    },
  }
}

export function shuffle(given: Iterable<number>): number[] {
  const list = [...given]
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
  return list
}
