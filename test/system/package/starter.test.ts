import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const STARTER = join(import.meta.dirname, '../../../examples/starter')

test('a copy of examples/starter in an empty folder can be installed and passes its tests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-starter-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(STARTER, folder, { recursive: true })
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('node_modules/\nfailed-cases/\n')
  cpSync(inject('tarball'), join(folder, basename(inject('tarball'))))
  const others = Object.entries(process.env).filter(([name]) => !/^(VITEST|npm_)/i.test(name))
  const env = { ...Object.fromEntries(others), NO_COLOR: '1' }
  const npm = (...args: string[]) => run('npm', args, { cwd: folder, env })
  await npm('install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline')
  expect((await npm('test')).stdout).toMatch(/Tests +4 passed/)
  // The workflow installs the packages that the lockfile lists.
  const lockfile = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: object }
  expect(lockfile.packages).toHaveProperty(['node_modules/vendor-cloud', 'resolved'], 'file:vendor-cloud-0.1.0.tgz')
  const help = await run('npx', ['--no', 'vendor-cloud', 'replay', '--help'], { cwd: folder, env })
  expect(help.stdout).toContain('vendor-cloud replay')
})
