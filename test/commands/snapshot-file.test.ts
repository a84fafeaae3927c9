import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeJsonFailure } from '../../src/contract/failures.ts'
import { runCommand } from '../../src/commands/run.ts'
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts'

async function run(...args: string[]) {
  let said = ''
  const stderr = { write: (text: string) => (said += text) }
  const code = await runCommand(args, { stdout: { write: () => {} }, stderr })
  return { code, said }
}

test.each([
  ['{"records":\n{"a": 1,}}', 'it is no JSON: line 2: '],
  ['{"records":\n\n{"a": 1\n', 'it is no JSON: line 3: '],
  ['no snapshot', 'it is no JSON: Unexpected token'],
])('a file that is no JSON, %j, is named with its line where node knows it', async (text, says) => {
  const file = join(makeTemporaryFolder(), 'bad.json')
  writeFileSync(file, text)
  const restored = await run('snapshot', '--restore', file, '--url', 'http://127.0.0.1:1')
  expect(restored).toEqual({ code: 2, said: expect.stringContaining(`cannot restore ${file}: ${says}`) })
  const started = await run('--port', '0', '--snapshot', file)
  expect(started).toEqual({ code: 1, said: expect.stringContaining(`${file}: ${says}`) })
})

test('an end that comes too early is told at the last line that says something', () => {
  const early = new SyntaxError('Unexpected end of JSON input')
  expect(describeJsonFailure('[1,\n2\n\n', early)).toBe('it is no JSON: line 2: Unexpected end of JSON input')
})
