import type { CaseTools } from '#tools/mcp/context.ts'

export const cases: CaseTools = {
  replay: async (text) => (await import('../cases/replay.ts')).replayText(text),
  show: async (text, format, step) => (await import('../cases/show.ts')).showText(text, format, step),
  async shrink(text, step) {
    const { asUsageError } = await import('../cases/replay.ts')
    const { shrinkCase } = await import('../cases/shrink.ts')
    const { parseCase, writeCase } = await import('#contract/files/case.ts')
    return asUsageError('shrunk', async () => writeCase(await shrinkCase(parseCase(text), step)))
  },
}

export const listChecksOf = (only: string | undefined) => runExamine({ only, list: true })

interface Asked {
  only?: string | undefined
  list?: boolean
  seed?: string | undefined
  timeout?: number | undefined
  command?: readonly string[]
}

export async function runExamine({ only, list, seed, timeout, command = [] }: Asked): Promise<string> {
  const { examine } = await import('../examine/examine.ts')
  const { documents } = await import('#tools/examine/check.ts')
  let text = ''
  const stdout = { write: (piece: string) => (text += piece) }
  const values = { only: only ?? documents.join(','), list, seed, format: 'json', timeout: String(timeout ?? 10) }
  await examine.run({ values, words: [...command] }, { stdout, stderr: { write: () => {} } })
  return text
}
