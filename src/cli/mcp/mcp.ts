import process from 'node:process'
import closeWithGrace from 'close-with-grace'
import { DEFAULT_WORLD } from '#contract/records/control/world.ts'
import { readVersion } from '#server/package-files.ts'
import { type ExaminedClient, type McpContext, toolNames, type ToolName } from '#tools/mcp/context.ts'
import { toLinePart } from '#tools/client/printable.ts'
import { speakOnStdio } from '#tools/mcp/stdio.ts'
import { defineCommand } from '../command.ts'
import { addressOptions } from '../client/client.ts'
import { exitCodes, oneOf } from '../input-output.ts'
import { createCaseFiles } from './case-files.ts'
import { cases, listChecksOf, runExamine } from './ports.ts'
import { openTarget } from './target.ts'

/** stdout carries the protocol alone. */
export const mcp = defineCommand({
  options: {
    ...addressOptions,
    world: { takes: 'NAME', about: 'World that tools use by default; created where there is none' },
    'read-only': { about: 'Offer only tools that change nothing' },
    'allow-run': { about: 'Let the tool examine run commands on this machine' },
    tools: { takes: 'LIST', about: `Offer only these tools: ${toolNames.join(',')}` },
  },
  example: 'mcp --read-only',
  notes: 'Without --url it asks the server at PORT of this machine, and starts one of its own where none runs there.',
  async run({ values }, { stderr }) {
    const tools = readTools(values.tools)
    const readOnly = values['read-only'] ?? false
    const { open, close } = await openTarget(values, readOnly)
    closeWithGrace({ delay: 10_000, logger: false }, close)
    const context: McpContext = {
      version: readVersion(),
      world: values.world ?? DEFAULT_WORLD,
      open,
      readOnly,
      tools,
      cases,
      files: createCaseFiles(process.cwd()),
      examiner: { list: listChecksOf, ...(values['allow-run'] && !readOnly && { run }) },
    }
    try {
      const onerror = ({ message }: Error) => stderr.write(`vendor-cloud mcp: ${toLinePart(message)}\n`)
      await speakOnStdio(context, { input: process.stdin, output: process.stdout, onerror })
    } catch (error) {
      stderr.write(`vendor-cloud mcp: ${(error as Error).message}\n`)
      return exitCodes.findings
    } finally {
      await close()
    }
    return exitCodes.ok
  },
})

function readTools(list: string | undefined): readonly ToolName[] | undefined {
  return list?.split(',').map((name) => oneOf(name.trim(), toolNames))
}

type Run = NonNullable<McpContext['examiner']['run']>

const run: Run = async (asked) => JSON.parse(await runExamine(asked)) as ExaminedClient
