import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { type PrivateServer, startPostgres } from '../servers.ts'

const ROOT = join(import.meta.dirname, '../../../..')

let postgres: PrivateServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

/** Starts the bundle in a folder in which only these drivers are installed. Returns its error output. */
async function startWith(drivers: readonly string[], env: Record<string, string>): Promise<string> {
  const folder = makeTemporaryFolder()
  for (const part of ['dist', 'docs', 'fixtures', 'openapi', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  }
  mkdirSync(join(folder, 'node_modules'))
  for (const driver of drivers) {
    symlinkSync(join(ROOT, 'node_modules', driver), join(folder, 'node_modules', driver))
  }
  const started = promisify(execFile)(process.execPath, ['dist/main.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    timeout: 20_000,
  })
  const { code, stderr } = await started.then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  )
  expect(code).toBe(1)
  return stderr
}

test('a start with DATABASE_URL but without the package pg prints the command that installs it', async () => {
  const said = await startWith([], { DATABASE_URL: postgres.url })
  expect(said).toBe('vendor-cloud: the package pg is not installed. Run npm i pg\n')
})
