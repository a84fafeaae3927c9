/**
 * Performs and times the first steps of a new user: clones the committed project, starts it as the README describes,
 * and runs the code blocks of the README. `npm run newcomer` changes only its own folder.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { pasteBlocks, readBlocks, ROOT } from '../../helpers/pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-newcomer-'))
const clone = join(folder, 'vendor-cloud')
let failed = 0
try {
  await step('git clone', () => execFileSync('git', ['clone', '--quiet', ROOT, clone]))
  const [install = '', start = ''] = readBlocks('README.md')[0]!.text.trim().split(' && ')
  await step(install, () => execFileSync('bash', ['-c', install], { cwd: clone, stdio: 'ignore' }))
  const first = await step(`${start}, until it listens`, () => listen(start))
  await step('the blocks of the README, pasted', async () => {
    for (const { expected, output } of await pasteBlocks('README.md', first.url)) {
      if (output.includes(expected)) continue
      failed++
      process.stdout.write(`  the README says\n    ${expected}\n  printed was\n    ${output.trim()}\n`)
    }
  })
  await step('Ctrl-C', () => stop(first.child))
  const second = await step(`${start} again`, () => listen(start))
  await stop(second.child)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed > 0 ? 1 : 0

async function step<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await run()
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}\n`)
  return result
}

/** Starts the server on a free port. It gets a separate process group, so that Ctrl-C reaches all its processes. */
async function listen(command: string) {
  const env = { ...process.env, PORT: '0' }
  const child = spawn('bash', ['-c', command], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /listens on (\S+)/.exec(line) ?? []
    if (url !== undefined) return { child, url }
  }
  throw new Error(`${command} ended before it listened`)
}

async function stop(child: ChildProcess) {
  const ended = once(child, 'exit')
  process.kill(-child.pid!, 'SIGINT')
  await ended
}
