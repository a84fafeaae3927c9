import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../helpers/server-process.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('prlimit')

const put = async (url: string, name: string) => {
  const body = JSON.stringify({ name, value: 'x'.repeat(20_000) })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${url}/_control/records/settings/${name}`, { method: 'PUT', headers, body })
  return { status: reply.status, text: await reply.text() }
}

test('a write is rejected while the disk is full and succeeds once there is space', async () => {
  const folder = join(makeTemporaryFolder(), 'data')
  // For the process that writes, a limited file size has the same effect as a full disk.
  const server = await startProcess({ DATA_DIR: folder }, { before: ['prlimit', '--fsize=8000000:unlimited'] })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const { url } = server
  const kept: string[] = []
  let refused: Awaited<ReturnType<typeof put>> | undefined
  for (let i = 0; !refused && i < 1000; i++) {
    const reply = await put(url, `n${i}`)
    if (reply.status === 200) kept.push(`n${i}`)
    else refused = reply
  }
  expect(kept.length).toBeGreaterThan(10)
  expect(refused?.status).toBeGreaterThanOrEqual(500)
  expect(JSON.parse(refused!.text).error.code).toBe('ServiceUnavailableError')
  expect((await fetch(`${url}/_control/records/settings/n${kept.length}`)).status).toBe(404)
  for (const name of kept) expect((await fetch(`${url}/_control/records/settings/${name}`)).status).toBe(200)
  const isReady = async () => (await fetch(`${url}/health/ready`)).status
  expect([await isReady(), (await fetch(`${url}/health/live`)).status]).toEqual([503, 200])

  execFileSync('prlimit', ['--pid', String(server.process.pid), '--fsize=unlimited:unlimited'])
  expect(await isReady()).toBe(200)
  expect((await put(url, 'again')).status).toBe(200)
  kept.push('again')

  await server.stop('SIGKILL')
  const next = await startProcess({ DATA_DIR: folder })
  onTestFinished(async () => void (await next.stop('SIGKILL')))
  for (const name of kept) expect((await fetch(`${next.url}/_control/records/settings/${name}`)).status).toBe(200)
})

test.each(['100000', '1500000'])('a start with only %s free bytes exits with a one-line error', async (room) => {
  const settings = { DATA_DIR: join(makeTemporaryFolder(), 'data') }
  const start = startProcess(settings, { before: ['prlimit', `--fsize=${room}:unlimited`] })
  await expect(start).rejects.toThrow(/^vendor-cloud: the data directory \S+ cannot be written: [^\n]*\n$/)
})
