import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/run.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

async function run(...args: string[]) {
  let said = ''
  const stderr = { write: (text: string) => (said += text) }
  const code = await runCommand(args, { stdout: { write: () => {} }, stderr })
  return { code, said }
}

const HEADER = '{"schemaVersion":2,"clock":{"offsetMs":0}}'

test.each([
  [`${HEADER}\n{"fault": 1,}`, 'line 2 is not valid JSON'],
  [`${HEADER}\n\n{"fault": 1\n`, 'line 3 is not valid JSON'],
  ['no snapshot', 'line 1 is not valid JSON'],
])('a file with a damaged line, %j, is named with the number of the line', async (text, says) => {
  const file = join(makeTemporaryFolder(), 'bad.ndjson')
  writeFileSync(file, text)
  const restored = await run('snapshot', '--restore', file, '--url', 'http://127.0.0.1:1')
  expect(restored).toEqual({ code: 2, said: expect.stringContaining(`cannot restore ${file}: ${says}`) })
  const started = await run('--port', '0', '--snapshot', file)
  expect(started).toEqual({ code: 1, said: expect.stringContaining(`${file}: ${says}`) })
})
