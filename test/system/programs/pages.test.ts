import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { files, installPages, runPageFile } from '../../helpers/page-files.ts'
import { pages, pasteBlocks, readBlocks } from '../../helpers/pages.ts'
import { startServer } from '../../helpers/running-server.ts'
import { requirePrograms } from './programs.ts'

requirePrograms('bash', 'curl', 'sed', 'python3')

const isPasted = (page: string) =>
  readBlocks(page).some(({ language, notRun, file }) => language === 'sh' && notRun === undefined && file === undefined)

test.each(pages.filter(isPasted))(
  'every shell block of %s, pasted in order and once more, prints what the page says',
  async (page) => {
    const address = await startServer({ SIMULATE: '1' })
    for (const printed of [await pasteBlocks(page, address), await pasteBlocks(page, address)]) {
      for (const { expected, output } of printed) expect(output).toContain(expected)
    }
  },
)

test.each(files.filter(({ file }) => file.endsWith('.py')))(
  '$file runs as its page has it, and prints what it says',
  async ({ file, text }) => {
    const folder = installPages()
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await runPageFile(folder, 'python3', file, text)
  },
)
