import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSimulator } from './bundle.ts'

const ROOT = join(import.meta.dirname, '..')
const folder = join(ROOT, 'node_modules/.cache/simulate')
mkdirSync(folder, { recursive: true })
const file = join(folder, 'simulator.mjs')
writeFileSync(file, await bundleSimulator())
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', file, '--root', ROOT, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1
