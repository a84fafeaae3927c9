import { supportActs } from './actions/support.ts'
import { billingActs } from './actions/billing.ts'
import { streamActs } from './actions/events.ts'
import { worldActs } from './actions/worlds.ts'
import type { Act } from './actions/act.ts'
import { audit } from './checks/audit.ts'
import type { Exchange } from './environment/exchange.ts'
import { Chance } from './environment/chance.ts'
import { Cluster, type Ground } from './environment/cluster.ts'
import { type StreamFault, ofDisk, ofShared } from './actions/outages.ts'
import { machine } from './environment/machine.ts'
import { Run } from './checks/run.ts'
import { NOBODY } from './environment/scheduler.ts'

export interface Plan {
  seed: number | string
  steps: number
  /** Engine to use instead of the one that the seed selects. */
  ground?: Ground | undefined
  /** Numbers of the acts to run. All others are skipped, to find out whether they matter. */
  only?: ReadonlySet<number>
  root: string
}

export interface Outcome {
  steps: number
  digest: string
  violation: string | undefined
  acts: readonly { number: number; name: string }[]
  calls: readonly string[]
  ground: Ground
  exchanges: readonly Exchange[]
}

/** Average number of steps between two acts while the seed waits for time to pass. */
const SELDOM = 50

const streamFaults: Record<Ground, readonly StreamFault[]> = { memory: [], disk: ofDisk, shared: ofShared }

/** Simulates the run of a seed. The same seed always leads to the same run. */
export async function simulate({ seed, steps, ground: asked, only, root }: Plan): Promise<Outcome> {
  const chance = new Chance(seed, 'plan')
  const scheduler = machine.begin(seed)
  // Always chosen, even if it is not used, so that specifying an engine does not change the rest of the run.
  const drawn = chance.weighted<Ground>([
    ['memory', 2],
    ['disk', 3],
    ['shared', 4],
  ])
  const ground = asked ?? drawn
  const cluster = new Cluster(ground, ground === 'shared' ? 2 + chance.below(2) : 1, root)
  const run = new Run(cluster)
  scheduler.gateEvery = 1 + chance.below(6)
  const isCalm = chance.once(3)
  scheduler.impatience = isCalm || chance.once(2) ? 0 : 20 + chance.below(100)
  run.loseEvery = isCalm || chance.once(2) ? 0 : 15
  // With several instances, each request takes many more steps.
  const [concurrency, actEvery] =
    ground === 'shared' ? [4 + chance.below(16), 1 + chance.below(4)] : [1 + chance.below(12), 2 + chance.below(5)]
  const problemEvery = isCalm ? Infinity : 8 + chance.below(30)
  const auditEvery = 250 + chance.below(500)
  // Each seed excludes some acts, so that the other acts coincide more often.
  const others = chance.once(3) ? [] : [...supportActs, ...billingActs, ...worldActs]
  const acts = [...streamActs, ...others].filter(() => !chance.once(6))
  const problems = streamFaults[ground].filter(() => !chance.once(2))
  const begun: { number: number; name: string }[] = []
  const outcome = (violation?: string): Outcome => {
    const { log: calls, exchanges } = run
    const { steps, digest } = scheduler
    return { steps, digest, violation, acts: begun, calls, ground, exchanges }
  }

  const begin = async (number: number) => {
    const draw = new Chance(seed, 'act', number)
    const problem = draw.once(problemEvery) ? problems : []
    const picked: Act | StreamFault = problem.length > 0 ? pick(draw, problem) : pick(draw, acts)
    const world = draw.once(3) ? run.worlds.get('default')! : draw.of([...run.worlds.values()])
    if (only?.has(number) === false) return
    begun.push({ number, name: picked.name })
    scheduler.note(picked.name)
    run.log.push(`${scheduler.steps}: ${picked.name}`)
    await scheduler.within(NOBODY, () => {
      if (problem.length > 0) (picked as StreamFault).run(run, draw)
      else (picked as Act).run({ run, chance: draw, world }).catch((error: unknown) => run.watch(() => rethrow(error)))
    })
  }

  try {
    for (const place of cluster.places) cluster.start(place)
    let number = 0
    for (let nextAudit = auditEvery; scheduler.steps < steps; ) {
      const isQuiet = scheduler.now < run.quietUntil
      if (run.inFlight < concurrency && scheduler.chance.once(isQuiet ? SELDOM : actEvery)) await begin(number++)
      if (!(await scheduler.step()) && run.inFlight >= concurrency) throw new Error('nothing goes on')
      if (run.found) throw run.found
      if (isQuiet || scheduler.steps < nextAudit) continue
      await audit(run, chance)
      nextAudit = scheduler.steps + auditEvery
    }
    await audit(run, chance)
    if (run.found) throw run.found
    return outcome()
  } catch (error) {
    const { name, message, stack } = error as Error
    return outcome(name === 'Violation' ? message : (stack ?? message))
  } finally {
    await sweep(cluster)
  }
}

/** Waits for late effects of the run, because they would otherwise affect the next run. */
async function sweep(cluster: Cluster): Promise<void> {
  for (const place of cluster.places) cluster.end(place)
  const idle = machine.begin('between')
  for (let turns = 0; turns < 3; turns++) await idle.within(NOBODY, () => {})
}

function pick<T extends { weight: number }>(chance: Chance, list: readonly T[]): T {
  return chance.weighted(list.map((each) => [each, each.weight]))
}

function rethrow(error: unknown): never {
  throw error
}
