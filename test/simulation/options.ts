import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Ground } from './environment/cluster.ts'

const USAGE = `Usage: npm run simulate -- [options]

  --seed N       the first seed; default 1
  --seeds N      how many; default 1
  --minutes M    as many seeds as are done in so long
  --steps N      of each seed; default 1000
  --ground NAME  memory, disk or shared; drawn for each seed unless told
  --only LIST    these acts of a seed alone: 3,17
  --known        the seeds that once failed
  --all          go on behind a failure
  --calls        show the calls of each seed
  --digests      show what each seed ended with, for comparing two runs
  --case FILE    where a failure's case is written

Example: npm run simulate -- --seed 42 --steps 200
`

/** Parses the options of a run. If they are invalid, prints the usage and ends the process. */
export function readOptions() {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(USAGE)
    process.exit(0)
  }
  try {
    const { values } = parseArgs({ options })
    for (const name of ['seed', 'seeds', 'steps', 'minutes'] as const) {
      const value = values[name]
      if (value !== undefined && !/^\d+(\.\d+)?$/.test(value))
        throw new TypeError(`--${name} takes a number, not ${value}`)
    }
    const { ground } = values
    if (ground !== undefined && !GROUNDS.includes(ground)) throw new TypeError(`--ground takes ${GROUNDS.join(', ')}`)
    return values
  } catch (error) {
    process.stderr.write(`simulate: ${(error as Error).message}\n${USAGE}`)
    process.exit(2)
  }
}

const GROUNDS: readonly string[] = ['memory', 'disk', 'shared'] satisfies Ground[]

const options = {
  root: { type: 'string', default: '.' },
  seed: { type: 'string', default: '1' },
  seeds: { type: 'string' },
  steps: { type: 'string', default: '1000' },
  minutes: { type: 'string' },
  ground: { type: 'string' },
  known: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  digests: { type: 'boolean', default: false },
  calls: { type: 'boolean', default: false },
  only: { type: 'string' },
  case: { type: 'string' },
} as const
