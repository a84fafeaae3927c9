import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../src/commands/run.ts'
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('bash')

test('completion is valid bash, and completes commands', async () => {
  let script = ''
  const sink = { write: (text: string) => (script += text) }
  await runCommand(['completion', 'bash'], { stdout: sink, stderr: sink })
  const file = join(makeTemporaryFolder(), 'completion')
  writeFileSync(file, script)
  const bash = (...args: string[]) => execFileSync('bash', args, { encoding: 'utf8' })
  expect(bash('-n', file)).toBe('')
  const use =
    'source "$1"; COMP_WORDS=(vendor-cloud adv); COMP_CWORD=1; _vendor_cloud; echo "$COMPREPLY";' +
    'COMP_WORDS=(vendor-cloud wallet ch); COMP_CWORD=2; _vendor_cloud; echo "${COMPREPLY[@]}"'
  expect(bash('-c', use, 'x', file)).toBe('advance\ncheck-request check-card\n')
})
