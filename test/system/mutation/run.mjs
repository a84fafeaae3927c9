// Checks whether tests fail if a rule is changed. `node test/system/mutation/run.mjs [AREA...]` runs Stryker for the
// areas in areas.mjs. It uses a temporary clone of the committed files, because Stryker is too large to be a
// dependency.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { areas } from './areas.mjs'

const STRYKER = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/vitest-runner@9.6.1']
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(areas)
const cwd = mkdtempSync(join(tmpdir(), 'vendor-cloud-mutation-'))
try {
  execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '../../..'), cwd])
  const quietly = { cwd, stdio: ['ignore', 'ignore', 'inherit'] }
  execFileSync('npm', ['ci', '--ignore-scripts'], quietly)
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', ...STRYKER], quietly)
  for (const area of chosen) {
    process.stdout.write(`\n${area}\n`)
    const env = { ...process.env, AREA: area }
    const { status } = spawnSync('npx', ['stryker', 'run', 'test/system/mutation/stryker.config.mjs'], {
      cwd,
      env,
      stdio: 'inherit',
    })
    if (status !== 0) process.exitCode = 1
  }
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
