import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shrinkList } from '../../src/tools/cases/shrink.ts'
import { recordCase } from './case.ts'
import { buildPlaces, type Ground } from './environment/cluster.ts'
import { readOptions } from './options.ts'
import { type Outcome, type Plan, simulate } from './simulator.ts'

const values = readOptions()
const { root } = values
const MOST_TRIES = 200

/** With `--known`, yields the seeds that have failed before. Otherwise, yields the requested number of seeds. */
function* plans(): Generator<Plan> {
  if (values.known) {
    for (const line of readFileSync(join(root, 'test/simulation/seeds.txt'), 'utf8').split('\n')) {
      const [ground, seed, steps] = line.split(' ')
      if (ground !== '#' && seed && steps) yield { ground: ground as Ground, seed, steps: Number(steps), root }
    }
    return
  }
  const ground = values.ground as Ground | undefined
  const most = Number(values.seeds ?? (values.minutes === undefined ? 1 : Infinity))
  const only = values.only === undefined ? undefined : new Set(values.only.split(',').map(Number))
  for (let i = 0; i < most; i++) {
    yield {
      ground,
      seed: Number(values.seed) + i,
      steps: Number(values.steps),
      root,
      ...(only && { only }),
    }
  }
}

/** Shrinks the run and prints the requests that led to the failure, provided that a single server can repeat them. */
async function tell(plan: Plan, { acts, violation: first = '', steps: most }: Outcome): Promise<void> {
  const promise = first.slice(0, first.search(/:|\n/))
  const shorter = { ...plan, steps: Math.min(plan.steps, most) }
  const all = acts.map(({ number }) => number)
  let tries = 0
  const needed = await shrinkList(all, async (left) => {
    if (tries++ >= MOST_TRIES) return false
    return (await simulate({ ...shorter, only: new Set(left) })).violation?.startsWith(promise) === true
  })
  const { calls, violation = first, ground, exchanges } = await simulate({ ...shorter, only: new Set(needed) })
  const { seed, steps } = shorter
  console.log(`seed ${seed} on ${ground} with ${needed.length} of ${acts.length} acts:`)
  console.log([...calls, violation].join('\n'))
  console.log(
    `again: npm run simulate -- --ground ${ground} --seed ${seed} --steps ${steps} --only ${needed.join(',')}`,
  )
  const file = values.case ?? `simulation-${ground}-${seed}.jsonl`
  writeFileSync(file, await recordCase({ ground, root, violation, exchanges }))
  console.log(`without crashes, lost replies, other instances and calls at once: vendor-cloud replay ${file}`)
}

await buildPlaces()
const began = process.hrtime.bigint()
const until = values.minutes === undefined ? Number.POSITIVE_INFINITY : Number(values.minutes) * 60
const seconds = () => Number(process.hrtime.bigint() - began) / 1e9
const total = () => console.log(`${steps} steps over ${seeds} seeds in ${seconds().toFixed(1)} s`)
let [steps, seeds] = [0, 0]
let told = 0
for (const plan of plans()) {
  if (seconds() > until) break
  if (seconds() - told >= 10) {
    told = seconds()
    process.stderr.write(`seed ${plan.seed}: ${steps} steps over ${seeds} seeds in ${told.toFixed(0)} s\n`)
  }
  const outcome = await simulate(plan)
  steps += outcome.steps
  seeds++
  if (values.calls) console.log(outcome.calls.join('\n'))
  if (values.digests) console.log(`${plan.seed} ${outcome.digest}`)
  if (outcome.violation) {
    console.log(`seed ${plan.seed}, step ${outcome.steps}: ${outcome.violation}`)
    process.exitCode = 1
    if (!values.all) {
      if (!process.env['SIMULATE_MUTANT']) await tell(plan, outcome)
      break
    }
  }
}
total()
