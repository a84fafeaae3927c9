import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleSimulator } from '../../simulate/bundle.ts'
import { mutants } from '../../simulate/mutants.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Bundles the simulator, with a mutant in the program or without, where it finds the project's packages. */
async function build(mutant?: string): Promise<(...options: string[]) => string> {
  const file = join(ROOT, 'node_modules', `.simulator-${process.pid}-${mutant === undefined ? 'whole' : 'mutant'}.mjs`)
  writeFileSync(file, await bundleSimulator(mutants.find(({ name }) => name === mutant)))
  onTestFinished(() => rmSync(file))
  return (...options) => spawnSync(process.execPath, [file, '--root', ROOT, ...options], { encoding: 'utf8' }).stdout
}

test('a seed gives the same run every time, alone and behind another', { timeout: 60_000 }, async () => {
  const simulate = await build()
  const alone = simulate('--seed', '2', '--steps', '150', '--digests')
  const [digest] = /^2 [0-9a-f]{16}$/m.exec(alone) ?? []
  expect(digest).toBeDefined()
  expect(simulate('--seed', '1', '--seeds', '2', '--steps', '150', '--digests')).toContain(digest)
})

test('a planted hazard is found', { timeout: 60_000 }, async () => {
  const simulate = await build('transactions at once')
  // What a seed does shifts with each change of the program; this one shows in four of ten.
  expect(simulate('--ground', 'memory', '--seeds', '40', '--steps', '1000')).toMatch(/^seed \d+, step \d+: \d+ /m)
})
