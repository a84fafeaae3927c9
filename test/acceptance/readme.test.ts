import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startServer } from '../helpers/running-server.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The blocks to paste, each command with the text that README says it prints (`# → text`). */
function readBlocks(): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  return [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!)
}

test.each([
  ['beside the server', {}],
  ['beside a container', { HOST: '0.0.0.0', CONTROL: 'open' }],
])('every block of the README, pasted in order %s, prints what the README says', async (_place, env) => {
  const address = await startServer({ SIMULATE: '1', ...env })
  // A person ends the stream with Ctrl-C; here the first events are enough.
  const blocks = readBlocks().map((block) => block.replace('curl -N "$URL"', '(curl -N -m 3 "$URL" || true)'))
  const script = blocks.join('\n').replaceAll('http://localhost:8080', address)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', withMarks(script)], { cwd: ROOT, timeout: 60_000 })
  const printed = stdout.split(/^mark \d+$/m)
  const expected = [...script.matchAll(/^# → (.*)$/gm)].map(([, text]) => text!)
  expect(expected.length).toBeGreaterThan(6)
  for (const [i, text] of expected.entries()) expect(printed[i]).toContain(text)
})

/** A line of its own where the README says what was printed, to tell the outputs apart. */
function withMarks(script: string): string {
  let count = 0
  return script.replace(/^# → .*$/gm, () => `printf '\\nmark ${++count}\\n'`)
}
