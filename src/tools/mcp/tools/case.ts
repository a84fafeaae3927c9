import { z } from 'zod'
import { ControlError } from '#tools/client/errors.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import type { McpContext } from '../context.ts'
import { ToolError } from '../errors.ts'
import { anything, count } from '../fields.ts'
import { defineTool, shorten } from '../tool.ts'
import { findJson } from '#contract/records/decoded-text.ts'

export const caseTool = defineTool({
  name: 'case',
  title: 'Case',
  description:
    'A case is a recording that replays byte by byte: for bug reports and git. record begins one in the world; save ' +
    'gives it (over stdio also to `file`, never overwriting); replay makes it again in a fresh world and tells the ' +
    'first difference; shrink keeps the steps that the reply of `step` (default last) needs; show draws it (format html, ' +
    "mermaid, curl). Without `text` or `file` it is the world's recording. stop forgets that.",
  input: {
    action: z.enum(['state', 'record', 'save', 'replay', 'shrink', 'show', 'stop']).default('state'),
    name: z.string().max(200).optional(),
    file: z.string().max(300).optional(),
    text: z.string().optional(),
    step: count.optional(),
    format: z.enum(['html', 'mermaid', 'har', 'curl']).default('mermaid'),
  },
  output: {
    recording: z.boolean().optional(),
    steps: z.number().optional(),
    same: z.boolean().optional(),
    first: anything.optional(),
    text: z.string().optional(),
    file: z.string().optional(),
  },
  reads: ['state', 'replay', 'shrink', 'show'],
  takes: {
    state: [],
    record: ['name'],
    save: ['file'],
    replay: ['text', 'file'],
    shrink: ['text', 'file', 'step'],
    show: ['text', 'file', 'step', 'format'],
    stop: [],
  },
  async run(world, { action, name, file, text, step, format }, context) {
    const { cases } = context
    const common = { world: world.name }
    switch (action) {
      case 'state': {
        const own = await findRecording(world)
        return { ...common, recording: own !== undefined, ...(own !== undefined && { steps: countSteps(own) }) }
      }
      case 'record':
        await world.call('startRecording', { body: name === undefined ? {} : { name } })
        return { ...common, recording: true, steps: 0 }
      case 'stop':
        await world.recording.stop()
        return { ...common, recording: false }
      case 'save':
        return { ...common, recording: true, ...(await give(context, await readCase(world, context, {}), file)) }
      case 'replay': {
        const given = await readCase(world, context, { text, file })
        return shorten({ ...worldOf(given), ...(await cases.replay(given)) })
      }
      case 'shrink': {
        const given = await readCase(world, context, { text, file })
        return { ...worldOf(given), ...(await give(context, await cases.shrink(given, step), undefined)) }
      }
      case 'show': {
        const given = await readCase(world, context, { text, file })
        return { ...worldOf(given), text: await cases.show(given, format, step) }
      }
    }
  },
})

async function readCase(
  world: WorldClient,
  context: McpContext,
  source: { text?: string | undefined; file?: string | undefined },
): Promise<string> {
  return assertShort(await readSource(world, context, source), world, context)
}

/** Others wait for the same process, and a long case would hold them up. */
function assertShort(
  text: string,
  { url }: WorldClient,
  { longestCase = Number.POSITIVE_INFINITY }: McpContext,
): string {
  if (text.length <= longestCase) return text
  const megabytes = (text.length / 1e6).toFixed(1)
  throw new ToolError(
    `the case has ${megabytes} MB: here at most ${longestCase} characters are worked on. The whole one is at ` +
      `${url}/_control/recordings/current, for the command line or for the tools over stdio`,
  )
}

async function readSource(
  world: WorldClient,
  { files }: McpContext,
  { text, file }: { text?: string | undefined; file?: string | undefined },
): Promise<string> {
  if (text !== undefined && file !== undefined) throw new ToolError('give text or file, not both')
  if (text !== undefined) return text
  if (file === undefined) return requireRecording(world)
  if (!files) throw new ToolError('files are read over stdio only: give text')
  return files.read(file)
}

async function give({ files, readOnly }: McpContext, text: string, file: string | undefined) {
  const steps = countSteps(text)
  if (file === undefined) return { steps, text }
  if (!files || readOnly) throw new ToolError('files are written over stdio only: without file the case comes as text')
  await files.write(file, text)
  return { steps, file }
}

async function requireRecording(world: WorldClient): Promise<string> {
  const own = await findRecording(world)
  if (own !== undefined) return own
  throw new ToolError(`the world ${world.name} is not recorded: begin with the action record, or give a case`)
}

async function findRecording(world: WorldClient): Promise<string | undefined> {
  try {
    return await world.recording.read()
  } catch (error) {
    if (error instanceof ControlError && error.status === 404 && !/no world/.test(error.message)) return undefined
    throw error
  }
}

/** A case of another server tells nothing about its world. */
function worldOf(text: string): { world?: string } {
  const [, first = ''] = /^\ufeff?\s*(.*)/.exec(text) ?? []
  const { world } = Object(findJson(first)) as { world?: unknown }
  return typeof world === 'string' ? { world } : {}
}

function countSteps(text: string): number {
  return text.match(/^\{"step":/gm)?.length ?? 0
}
