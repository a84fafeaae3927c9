import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleSimulator } from './bundle.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = join(ROOT, 'node_modules/.cache/simulate')
mkdirSync(folder, { recursive: true })
const file = join(folder, 'simulator.mjs')
writeFileSync(file, await bundleSimulator())
// Most garbage of a run is short-lived, and a larger young generation makes collecting it cheaper.
const options = ['--max-semi-space-size=32', file, '--root', ROOT, ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, options, { stdio: 'inherit' })
process.exitCode = status ?? 1
