import * as z from 'zod'
import { findEnd, parseCase } from '#contract/files/case.ts'
import type { WorldClient } from '#tools/client/world-client.ts'
import type { McpContext } from '../context.ts'
import { ifPresent, ToolError } from '../errors.ts'
import { count } from '../fields.ts'
import { changing, defineTool, reading } from '../tool.ts'
import { findJson } from '#contract/records/decoded-text.ts'

const source = { text: z.string().optional(), file: z.string().max(300).optional() }
const step = count.optional()

interface Source {
  text?: string | undefined
  file?: string | undefined
}

export const caseTool = defineTool({
  name: 'case',
  title: 'Case',
  description:
    'A case is a recording that replays exactly. record: start recording. save: return the case, or ' +
    'over stdio write it to a new `file`. replay: repeat it in a new world and report the first difference. ' +
    'shrink: keep the steps that the response of `step` (default: last) needs. show: render it as `format`. These ' +
    'three read `text`, `file` or the recording. stop: discard the recording.',
  actions: {
    state: reading({}, async (world) => {
      const own = await ifPresent(world.recording.read())
      return own === undefined ? { recording: false } : describe(own)
    }),
    record: changing({ title: z.string().max(200).optional() }, async (world, { title }) => {
      await world.call('startRecording', { body: { name: title } })
      return { recording: true, steps: 0 }
    }),
    save: changing({ file: source.file }, async (world, { file }, context) => {
      const text = await readCase(world, context, {})
      return { ...describe(text), ...(await give(context, text, file)) }
    }),
    replay: reading(source, async (world, given, context) => {
      const text = await readCase(world, context, given)
      return { world: worldOf(text), ...(await context.cases.replay(text)) }
    }),
    shrink: reading({ ...source, step }, async (world, given, context) => {
      const text = await readCase(world, context, given)
      const shrunk = await context.cases.shrink(text, given.step)
      const next = 'no file was written: pass text to replay or show'
      return { world: worldOf(text), target: targetOf(shrunk), steps: countSteps(shrunk), next, text: shrunk }
    }),
    show: reading(
      { ...source, step, format: z.enum(['html', 'mermaid', 'har', 'curl']).default('mermaid') },
      async (world, given, context) => {
        const text = await readCase(world, context, given)
        return { world: worldOf(text), text: await context.cases.show(text, given.format, given.step) }
      },
    ),
    stop: changing({}, async (world) => {
      await world.recording.stop()
      return { recording: false }
    }),
  },
})

async function readCase(world: WorldClient, context: McpContext, source: Source): Promise<string> {
  const text = await readSource(world, context, source)
  // Processing a long case would block the other clients of this process.
  const { longestCase = Number.POSITIVE_INFINITY } = context
  if (text.length <= longestCase) return text
  const megabytes = (text.length / 1e6).toFixed(1)
  throw new ToolError(
    `the size of the case is ${megabytes} MB, and the limit over HTTP is ${longestCase} characters. Get it from ` +
      `${world.url}/_control/recordings/current, or use the command line or the tools over stdio`,
  )
}

async function readSource(world: WorldClient, { files }: McpContext, { text, file }: Source): Promise<string> {
  if (text !== undefined && file !== undefined) throw new ToolError('pass `text` or `file`, not both')
  if (text !== undefined) return text
  if (file === undefined) return requireRecording(world)
  if (!files) throw new ToolError('files can be read only over stdio: pass `text` instead')
  return files.read(file)
}

async function give({ files }: McpContext, text: string, file: string | undefined) {
  if (file === undefined) return { text }
  if (!files) throw new ToolError('files can be written only over stdio: omit `file` to get the case as text')
  await files.write(file, text)
  return { file }
}

/** A recording ends when its world is reset, but it can still be saved. */
function describe(text: string) {
  const ended = findEnd(text)
  return { recording: ended === undefined, ...(ended !== undefined && { ended }), steps: countSteps(text) }
}

async function requireRecording(world: WorldClient): Promise<string> {
  const own = await ifPresent(world.recording.read())
  if (own !== undefined) return own
  throw new ToolError(`world ${world.name} has no recording: start one with the action record, or pass text or file`)
}

/** Returns undefined for a case that another server recorded. */
function worldOf(text: string): string | undefined {
  const [, first = ''] = /^\ufeff?\s*(.*)/.exec(text) ?? []
  const { world } = Object(findJson(first)) as { world?: unknown }
  return typeof world === 'string' ? world : undefined
}

/** The step whose response was kept, for example `GET /stg/us/guest/zipCode?zipCode=1 400`. */
function targetOf(shrunk: string): string | undefined {
  const last = parseCase(shrunk).steps.findLast((each) => 'reply' in each)
  if (!last) return undefined
  const { method, path } = 'call' in last ? last.call : last.control
  return `${method} ${path} ${last.reply.status}`
}

function countSteps(text: string): number {
  return text.match(/^\{"step":/gm)?.length ?? 0
}
