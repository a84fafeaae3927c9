import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSimulator } from './bundle.ts'
import { mutants } from './mutants.ts'

/**
 * Applies each mutant to the program and reports how many steps are needed to find it. Arguments are the names of
 * mutants to try.
 */
const ROOT = join(import.meta.dirname, '../..')
const folder = join(ROOT, 'node_modules/.cache/simulate')
/** A mutant counts as found if one of these seeds finds it within 1,400 steps or in the last audit. */
const MOST_SEEDS = 150
const MOST_STEPS = 2000
const named = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
console.log('| mutant | hazard | ground | found |\n|---|---|---|---|')
for (const mutant of mutants.filter(({ name }) => named.length === 0 || named.includes(name))) {
  const { name, hazard, ground } = mutant
  const file = join(folder, 'mutant.mjs')
  writeFileSync(file, await bundleSimulator(mutant))
  const found = run(file, ground)
  if (!found) process.exitCode = 1
  console.log(`| ${name} | ${hazard} | ${ground} | ${found ?? 'not found'} |`)
}

function run(file: string, ground: string, from = 1): string | undefined {
  const left = `${MOST_SEEDS - from + 1}`
  if (left === '0') return undefined
  const plan = ['--ground', ground, '--seed', `${from}`, '--seeds', left, '--steps', '1400']
  try {
    execFileSync(process.execPath, [file, '--root', ROOT, ...plan], {
      timeout: 600_000,
      encoding: 'utf8',
      env: { ...process.env, SIMULATE_MUTANT: '1' },
    })
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string }
    const [, seed, step, how = ''] = /^seed (\d+), step (\d+): ([^:\n]*)/m.exec(stdout) ?? []
    if (!seed || !step) return undefined
    return Number(step) > MOST_STEPS ? run(file, ground, Number(seed) + 1) : `seed ${seed}, step ${step}: ${how}`
  }
  return undefined
}
