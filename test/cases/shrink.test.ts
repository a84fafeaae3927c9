import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replayText } from '../../src/commands/replay.ts'
import { runCommand } from '../../src/commands/run.ts'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/server.ts'
import { createTicket, findSlot } from '../acceptance/flow.ts'
import { call } from '../acceptance/server.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'
import { recordCase } from './record-scenarios.ts'

const guest = { 'request-source': 'vendor.com' }

async function open() {
  const server = await startServer(readConfig({ PORT: '0' }))
  onTestFinished(() => server.close())
  const folder = makeTemporaryFolder()
  let printed = ''
  const output = {
    stdout: { write: (text: string) => (printed += text) },
    stderr: { write: (text: string) => (printed += text) },
  }
  return {
    url: server.url,
    file: (name: string) => join(folder, name),
    run: (args: string[]) => runCommand(args, output),
    printed: () => printed,
  }
}

test('a run of 500 steps with an oversold slot shrinks to at most eight that show it and replay', async () => {
  const { url, file, run, printed } = await open()
  const text = await recordCase(
    url,
    async (world) => {
      const slot = await findSlot(world)
      for (let i = 0; i < 247; i++)
        await call(`${world}/stg/us/guest/zipCode?zipCode=0766${i % 10}`, 'GET', undefined, guest)
      // Planted: nobody has seen whose place this is.
      for (let i = 0; i < 2; i++) await createTicket(world, slot)
      for (let i = 0; i < 248; i++)
        await call(`${world}/stg/us/customerFeedback`, 'POST', { rating: 1 + (i % 5), comment: 'c' }, guest)
      await createTicket(world, slot)
    },
    { name: 'oversold' },
  )
  expect(text.trim().split('\n').length).toBeGreaterThan(498)
  writeFileSync(file('long.jsonl'), text)
  expect(await run(['shrink', file('long.jsonl'), '--out', file('short.jsonl')])).toBe(0)
  const short = readFileSync(file('short.jsonl'), 'utf8')
  expect(short.trim().split('\n').length - 1).toBeLessThanOrEqual(8)
  expect(short.trim().split('\n').length - 1).toBeGreaterThan(1)
  expect(printed()).toMatch(/^\d of 49\d steps are left/)
  expect(await replayText(short)).toMatchObject({ same: true })
}, 120_000)

test('record runs a command in a world of its own, hands its exit code on and leaves a case and no world', async () => {
  const { url, file, run } = await open()
  const script = `fetch(process.env.VENDOR_CLOUD_URL + '/stg/us/guest/zipCode?zipCode=07660', { headers: { 'request-source': 'vendor.com' } }).then(() => process.exit(7))`
  const args = ['record', '--out', file('case.jsonl'), '--url', url, '--', process.execPath, '-e', script]
  expect(await run(args)).toBe(7)
  const text = readFileSync(file('case.jsonl'), 'utf8')
  expect(text).toContain('/stg/us/guest/zipCode?zipCode=07660')
  expect(await replayText(text)).toMatchObject({ same: true, steps: 1 })
  expect((await call(`${url}/_control/worlds`, 'GET')).json['totalCount']).toBe(1)
})

test('replay is 0 for the same, 1 for a difference and 2 for a file that is no case', async () => {
  const { file, run } = await open()
  const name = join(import.meta.dirname, 'month-end.jsonl')
  expect(await run(['replay', name])).toBe(0)
  const changed = readFileSync(name, 'utf8').replaceAll('"reply":{"status":200', '"reply":{"status":202')
  writeFileSync(file('other.jsonl'), changed)
  expect(await run(['replay', file('other.jsonl')])).toBe(1)
  writeFileSync(file('none.jsonl'), 'none')
  expect(await run(['replay', file('none.jsonl')])).toBe(2)
})
