import process from 'node:process'
import closeWithGrace from 'close-with-grace'
import { DEFAULT_WORLD } from '../../contract/records/control/world.ts'
import { readVersion } from '../../server/package-files.ts'
import { type ExaminedClient, type McpContext, toolNames, type ToolName } from '../../tools/mcp/context.ts'
import { speakOnStdio } from '../../tools/mcp/stdio.ts'
import { flag, oneOf, parseCommand, text } from '../arguments.ts'
import { serverOptions } from '../client/client.ts'
import { type CommandOutput, exitCodes } from '../input-output.ts'
import { createCaseFiles } from './case-files.ts'
import { cases, listChecksOf, runExamine } from './ports.ts'
import { openTarget } from './target.ts'

export const mcpHelp = [
  '--url URL            the server; default: PORT of this machine, and one of its own where none runs there',
  '--key KEY            key of the control API, where it is needed; default: CONTROL_KEY',
  '--world NAME         the world that tools act on unless told; made where there is none',
  '--read-only          only what changes nothing',
  '--allow-run          the tool examine may run commands on this machine',
  `--tools LIST         only these: ${toolNames.join(',')}`,
]

/** stdout carries the protocol alone. */
export async function mcp(args: string[], { stderr }: CommandOutput): Promise<number> {
  const { json: _, ...target } = serverOptions
  const options = { ...target, world: text, 'read-only': flag, 'allow-run': flag, tools: text } as const
  const { values } = parseCommand(args, options)
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
    await speakOnStdio(context, { input: process.stdin, output: process.stdout })
  } catch (error) {
    stderr.write(`vendor-cloud mcp: ${(error as Error).message}\n`)
    return exitCodes.findings
  } finally {
    await close()
  }
  return exitCodes.ok
}

function readTools(list: string | undefined): readonly ToolName[] | undefined {
  return list?.split(',').map((name) => oneOf(name.trim(), toolNames))
}

type Run = NonNullable<McpContext['examiner']['run']>

const run: Run = async ({ command, only, seed, timeout }) => {
  const given = { '--only': only, '--seed': seed, '--timeout': timeout }
  const options = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]))
  const { text: report } = await runExamine(['--format', 'json', ...options, '--', ...command])
  return JSON.parse(report) as ExaminedClient
}
