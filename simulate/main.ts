import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPlaces, type Ground } from './cluster.ts'
import { type Plan, simulate } from './simulator.ts'

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: '.' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000' },
    minutes: { type: 'string' },
    ground: { type: 'string' },
    known: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    digests: { type: 'boolean', default: false },
    calls: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const { root } = values

/** The seeds that once failed, or as many as are asked for. */
function* plans(): Generator<Plan> {
  if (values.known) {
    for (const line of readFileSync(join(root, 'simulate/seeds.txt'), 'utf8').split('\n')) {
      const [ground, seed, steps] = line.split(' ')
      if (ground !== '#' && seed && steps) yield { ground: ground as Ground, seed, steps: Number(steps), root }
    }
    return
  }
  const ground = values.ground as Ground | undefined
  const only = values.only === undefined ? undefined : new Set(values.only.split(',').map(Number))
  for (let i = 0; i < Number(values.seeds); i++) {
    yield {
      ground,
      seed: Number(values.seed) + i,
      steps: Number(values.steps),
      root,
      ...(only && { only }),
    }
  }
}

/** Leaves out what does not matter, in ever smaller parts, and gives the numbers of the acts that do. */
async function shrink(plan: Plan, acts: readonly number[], promise: string): Promise<readonly number[]> {
  let needed = acts
  for (let size = Math.ceil(acts.length / 2), tries = 0; size > 0 && tries < 200; ) {
    const before = needed.length
    for (let from = 0; from < needed.length && tries < 200; tries++) {
      const rest = [...needed.slice(0, from), ...needed.slice(from + size)]
      const { violation } = await simulate({ ...plan, only: new Set(rest) })
      if (violation?.startsWith(promise)) needed = rest
      else from += size
    }
    if (size === 1 && needed.length === before) break
    size = size === 1 ? 1 : Math.ceil(size / 2)
  }
  return needed
}

async function tell(plan: Plan): Promise<void> {
  const { acts, violation: first = '' } = await simulate(plan)
  const numbers = acts.map(({ number }) => number)
  const needed = await shrink(plan, numbers, first.slice(0, first.search(/:|\n/)))
  const { calls, violation } = await simulate({
    ...plan,
    only: new Set(needed),
  })
  console.log(`seed ${plan.seed} with ${needed.length} of ${acts.length} acts, ${needed.join(',')}:`)
  console.log([...calls, violation].join('\n'))
}

await buildPlaces()
const began = process.hrtime.bigint()
const until = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes) * 60
const seconds = () => Number(process.hrtime.bigint() - began) / 1e9
const total = () => console.log(`${steps} steps over ${seeds} seeds in ${seconds().toFixed(1)} s`)
let [steps, seeds] = [0, 0]
for (const plan of plans()) {
  if (seconds() > until) break
  const outcome = await simulate(plan)
  steps += outcome.steps
  seeds++
  if (values.calls) console.log(outcome.calls.join('\n'))
  if (values.digests) console.log(`${plan.seed} ${outcome.digest}`)
  if (outcome.violation) {
    console.log(`seed ${plan.seed}, step ${outcome.steps}: ${outcome.violation}`)
    process.exitCode = 1
    if (!values.all) {
      if (!process.env['SIMULATE_MUTANT']) await tell(plan)
      break
    }
  }
  if (seeds % 100 === 0) total()
}
total()
