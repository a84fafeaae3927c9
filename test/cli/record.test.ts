import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { connectVendorCloud } from '../../src/index.ts'
import { replayText } from '../../src/cli/cases/replay.ts'
import { buildTestApp, listen } from '../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const ask = `await fetch(process.env.VENDOR_CLOUD_URL + '/stg/us/guest/zipCode?zipCode=07660',
  { headers: { 'request-source': 'vendor.com' } })`

/**
 * Runs `record` with a Node client in a separate process. `ready` resolves when the client reports that it is ready.
 */
async function record(script: string) {
  const url = await listen(buildTestApp().app)
  const file = join(makeTemporaryFolder(), 'kept.jsonl')
  const client = [process.execPath, '--input-type=module', '-e', script]
  const words = ['dist/main.js', 'record', '--url', url, '--out', file, '--', ...client]
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes))
  const ended = once(child, 'close')
  return {
    file,
    worlds: connectVendorCloud(url).worlds,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    ready: async () => void (await once(createInterface(child.stdout), 'line')),
    end: async () => ({ ended: await ended, said }),
  }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'record passes %s to the client, saves the case and deletes the world',
  async (signal) => {
    const recorded = await record(`${ask}
    process.on('${signal}', async () => { ${ask}; process.exit(7) })
    setInterval(() => {}, 1000)
    console.log('ready')`)
    await recorded.ready()
    const { items } = await recorded.worlds()
    expect(items.map(({ name, expiresAt }) => [name === 'default', expiresAt !== undefined])).toContainEqual([
      false,
      true,
    ])
    recorded.kill(signal)
    const { ended, said } = await recorded.end()
    expect(ended).toEqual([7, null])
    expect(said).toMatch(new RegExp(`^Recorded 2 steps to ${recorded.file} \\(\\d+\\.\\d kB\\)\\n$`))
    expect(await replayText(readFileSync(recorded.file, 'utf8'))).toEqual({ same: true, steps: 2 })
    expect((await recorded.worlds()).items).toHaveLength(1)
  },
)

test('record exits with 128 plus the signal number when a signal ends the client', async () => {
  const recorded = await record(`${ask}; setInterval(() => {}, 1000); console.log('ready')`)
  await recorded.ready()
  recorded.kill('SIGTERM')
  const { ended, said } = await recorded.end()
  expect([ended, said]).toEqual([[143, null], expect.stringContaining('Recorded 1 step to')])
})

test('record reports that the recording ended early when the client resets the world', async () => {
  const recorded = await record(`${ask}
    await fetch(process.env.VENDOR_CLOUD_URL + '/_control/reset', { method: 'POST' })
    ${ask}`)
  const { ended, said } = await recorded.end()
  expect(ended).toEqual([0, null])
  expect(said).toContain('; the recording ended before the command: the world was reset or restored')
})

test('record fails and writes no case when the client sends nothing to the world', async () => {
  const recorded = await record('')
  const { ended, said } = await recorded.end()
  expect(ended).toEqual([1, null])
  expect(said).toContain(`Recorded no steps: ${process.execPath} sent nothing to http://127.0.0.1:`)
  expect(said).toContain('Tests with vendor-cloud/vitest, jest or playwright use their own worlds')
  expect(existsSync(recorded.file)).toBe(false)
})
