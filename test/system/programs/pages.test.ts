import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { files, importsPeer, installPages, runPageFile } from '../../helpers/page-files.ts'
import { pages, pasteBlocks, readBlocks, ROOT } from '../../helpers/pages.ts'
import { startServer } from '../../helpers/running-server.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('bash', 'curl', 'sed', 'python3')

const isPasted = (page: string) =>
  readBlocks(page).some(({ language, notRun, file }) => language === 'sh' && notRun === undefined && file === undefined)

test.each(pages.filter(isPasted))(
  'every shell block of %s prints the documented output when all are pasted twice',
  async (page) => {
    const address = await startServer({ SIMULATE: '1' })
    for (const printed of [await pasteBlocks(page, address), await pasteBlocks(page, address)]) {
      for (const { expected, output } of printed) expect(output).toContain(expected)
    }
  },
)

test.each(files.filter(({ file }) => file.endsWith('.py')))(
  '$file runs as printed and shows the promised output',
  async ({ file, text }) => {
    const folder = installPages()
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await runPageFile(folder, 'python3', file, text)
  },
)

test.each(files.filter((each) => each.file.endsWith('.mjs') && importsPeer(each)))(
  '$file, which imports the vendor-cloud package, shows the promised output',
  async ({ file, text }) => {
    const folder = installPages()
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await runPageFile(folder, process.execPath, file, text)
  },
)

test('the test files in the documentation pass in a separate project', async () => {
  const folder = installPages()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const tests = files.filter(({ file }) => file.endsWith('.test.ts'))
  expect(tests.length).toBeGreaterThan(1)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  // The default timeout is too short on a busy machine.
  const timeouts = ['--testTimeout', '60000', '--hookTimeout', '60000']
  const args = [vitest, 'run', '--root', folder, '--reporter', 'json', '--maxWorkers', '1', ...timeouts]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 100_000 })
  const { success, numTotalTestSuites } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Record<string, unknown>
  expect({ success, numTotalTestSuites }).toEqual({ success: true, numTotalTestSuites: tests.length })
})
