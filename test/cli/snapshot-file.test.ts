import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { startVendorCloud } from '../../src/index.ts'
import { buildTestApp, listen } from '../helpers/build-test-app.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

async function run(...args: string[]) {
  let [printed, said] = ['', '']
  const stdout = { write: (text: string) => (printed += text) }
  const stderr = { write: (text: string) => (said += text) }
  const code = await runCommand(args, { stdout, stderr })
  return { code, printed, said }
}

const HEADER = '{"schemaVersion":2,"clock":{"offsetMs":0}}'

test.each([
  [`${HEADER}\n{"fault": 1,}`, 'line 2 is not valid JSON'],
  [`${HEADER}\n\n{"fault": 1\n`, 'line 3 is not valid JSON'],
  ['no snapshot', 'line 1 is not valid JSON'],
])('an error in the snapshot %j is reported with the file name and line number', async (text, says) => {
  const file = join(makeTemporaryFolder(), 'bad.ndjson')
  writeFileSync(file, text)
  const restored = await run('snapshot', '--restore', file, '--url', 'http://127.0.0.1:1')
  expect(restored).toMatchObject({ code: 2, said: expect.stringContaining(`cannot restore ${file}: ${says}`) })
  const started = await run('--port', '0', '--snapshot', file)
  expect(started).toMatchObject({ code: 2, said: expect.stringContaining(`${file}: ${says}`) })
})

test('a byte order mark at the start of a snapshot, fixture or profile is ignored', async () => {
  const folder = makeTemporaryFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), `\ufeff${text}`)
    return join(folder, name)
  }
  const first = await startVendorCloud({ port: false })
  const SNAPSHOT = write('snapshot.ndjson', await first.snapshot())
  const PROFILE = write('profile.yaml', 'profile: theirs\n')
  const FIXTURES = join(folder, 'fixtures')
  mkdirSync(FIXTURES)
  write('fixtures/customers.json', '[]')
  await first.stop()
  for (const settings of [{ SNAPSHOT, PROFILE }, { FIXTURES }]) {
    const cloud = await startVendorCloud({ port: false, settings })
    await cloud.stop()
  }
})

test.each([
  ['--snapshot', '/dev/zero', 'cannot read snapshot /dev/zero: it is larger than 256 MB'],
  ['--profile', '/dev/zero', 'cannot read profile /dev/zero: it is larger than 1 MB'],
])('the file given with %s has a size limit, so /dev/zero is rejected', async (option, file, says) => {
  const { code, said } = await run('--port', '0', option, file)
  expect([code, said]).toEqual([2, `vendor-cloud: ${says}\n`])
})

test('case diff and serve both reject a snapshot that contains an unknown field', async () => {
  const folder = makeTemporaryFolder()
  const write = (name: string, more: object) => {
    const session = { identity: 'profile:web-alice', since: '2026-05-04T12:00:00.000Z', ...more }
    const lines = [HEADER, JSON.stringify({ collection: 'sessions', record: session }), '{"end":true}']
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return join(folder, name)
  }
  const [plain, other] = [write('a.ndjson', {}), write('b.ndjson', { sinc: 1 })]
  expect(await run('case', 'diff', plain, plain)).toMatchObject({ code: 0, said: '' })
  for (const files of [
    [plain, other],
    [other, plain],
  ]) {
    const found = await run('case', 'diff', ...files)
    expect(found).toMatchObject({
      code: 2,
      said: expect.stringContaining(`${other} is not a snapshot: line 2: record has no field sinc`),
    })
  }
  const started = await run('--port', '0', '--snapshot', other)
  expect(started).toMatchObject({ code: 2, said: expect.stringContaining('line 2: record has no field sinc') })
})

test('a snapshot is written to a file and restored from a file or standard input', async () => {
  const { app } = buildTestApp()
  const url = await listen(app)
  const file = join(makeTemporaryFolder(), 'world.json')
  expect((await run('snapshot', '--out', file, '--url', url)).code).toBe(0)
  const text = readFileSync(file, 'utf8')
  expect((await run('snapshot', '--url', url)).printed).toBe(text)
  await app.inject({ method: 'DELETE', url: '/_control/records/partners/partner-1001' })
  expect((await run('snapshot', '--restore', file, '--url', url)).code).toBe(0)
  expect((await app.inject('/_control/snapshot')).payload).toBe(text)
  writeFileSync(file, '{}')
  expect((await run('snapshot', '--restore', file, '--url', url)).said).toContain('schemaVersion')
  await app.inject({ method: 'DELETE', url: '/_control/records/partners/partner-1001' })
  const main = join(import.meta.dirname, '../../dist/main.js')
  const restoring = promisify(execFile)(process.execPath, [main, 'snapshot', '--restore', '-', '--url', url])
  restoring.child.stdin!.end(text)
  await restoring
  expect((await app.inject('/_control/snapshot')).payload).toBe(text)
})
