import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { asGuest, buildTestApp, listen } from '../helpers/build-test-app.ts'

const ROOT = join(import.meta.dirname, '../..')

test('logs --follow exits with 0 when its reader closes the pipe', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const ask = () => app.inject({ url: '/stg/us/guest/zipCode?zipCode=07660', headers: asGuest() })
  await ask()
  const words = ['dist/main.js', 'logs', '--follow', '--limit', '1', '--url', url]
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  expect(await once(createInterface(child.stdout), 'line')).toEqual([expect.stringContaining('zipCode=07660')])
  child.stdout.destroy()
  await expect
    .poll(async () => {
      await ask()
      return child.exitCode
    })
    .toBe(0)
  await ended
})
