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
    all: { type: 'boolean', default: false },
    digests: { type: 'boolean', default: false },
    calls: { type: 'boolean', default: false },
  },
})

await buildPlaces()
const began = process.hrtime.bigint()
const until = values.minutes === undefined ? Infinity : Number(values.minutes) * 60
const seconds = () => Number(process.hrtime.bigint() - began) / 1e9
let [steps, seeds] = [0, 0]
const first = Number(values.seed)
for (let seed = first; seeds < Number(values.seeds) && seconds() < until; seed++) {
  const plan: Plan = {
    seed,
    steps: Number(values.steps),
    ground: values.ground as Ground | undefined,
    root: values.root,
  }
  const outcome = await simulate(plan)
  steps += outcome.steps
  seeds++
  if (values.calls) console.log(outcome.calls.join('\n'))
  if (values.digests) console.log(`${seed} ${outcome.digest}`)
  if (outcome.violation) {
    console.log(`seed ${seed}, step ${outcome.steps}: ${outcome.violation}`)
    process.exitCode = 1
    if (!values.all) break
  }
  if (seeds % 100 === 0) console.log(`${steps} steps over ${seeds} seeds in ${seconds().toFixed(0)} s`)
}
console.log(`${steps} steps over ${seeds} seeds in ${seconds().toFixed(1)} s`)
