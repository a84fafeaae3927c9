import { parseCase, writeCase } from '../../contract/cases/case-file.ts'
import type { CaseTools } from '../../tools/mcp/context.ts'
import { replayText, toUnusable } from '../cases/replay.ts'
import { shrinkCase } from '../cases/shrink.ts'

/** Cases are made again in a server of this process, which no agent sees. */
export const cases: CaseTools = {
  replay: (text) => replayText(text),
  async shrink(text, step) {
    try {
      return writeCase(await shrinkCase(parseCase(text), step))
    } catch (error) {
      throw toUnusable(error as Error, 'shrunk')
    }
  },
}

/** The book of checks, of all documents or of those named. */
export async function listChecksOf(only: string | undefined): Promise<string> {
  return (await runExamine([...(only === undefined ? [] : ['--only', only]), '--list'])).text
}

/** The command, with what it writes to its standard output. */
export async function runExamine(args: string[]): Promise<{ text: string }> {
  const { examine } = await import('../examine/examine.ts')
  let text = ''
  const stdout = { write: (piece: string) => (text += piece) }
  await examine(args, { stdout, stderr: { write: () => {} } })
  return { text }
}
