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
const out = z.string().max(300).optional()

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
    'read `text`, `file` or the recording; `out` is a new file. stop: discard the recording.',
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
      const text = await readCase(world, context)
      return { ...describe(text), ...(await give(context, text, file)) }
    }),
    replay: reading(source, async (world, given, context) => {
      const text = await readCase(world, context, given)
      return { world: worldOf(text), ...(await context.cases.replay(text)) }
    }),
    shrink: reading({ ...source, step, out }, async (world, given, context) => {
      const text = await readCase(world, context, given)
      const shrunk = await context.cases.shrink(text, given.step)
      const next = given.out === undefined && { next: 'no file was written: pass text to replay or show, or pass out' }
      const written = await give(context, shrunk, given.out)
      return { world: worldOf(text), target: targetOf(shrunk), steps: countSteps(shrunk), ...next, ...written }
    }),
    show: reading(
      { ...source, step, out, format: z.enum(['html', 'mermaid', 'har', 'curl']).default('mermaid') },
      async (world, given, context) => {
        if (given.format === 'html' && given.out === undefined) throw new ToolError(NO_PAGE)
        const text = await readCase(world, context, given)
        const shown = await context.cases.show(text, given.format, given.step)
        return { world: worldOf(text), ...(await give(context, shown, given.out)) }
      },
    ),
    stop: changing({}, async (world) => {
      await world.recording.stop()
      return { recording: false }
    }),
  },
})

/** A page has more than 100,000 characters, which would fill the agent's context. */
const NO_PAGE = 'format html returns a long page: pass `out`, a new file (over stdio), or use format mermaid'

/** Without `source`, reads the recording of the world. */
async function readCase(world: WorldClient, context: McpContext, source?: Source): Promise<string> {
  const text = source ? await readSource(world, context, source) : await requireRecording(world)
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
  if (file === undefined) return requireRecording(world, ', or pass text or file')
  if (!files) throw new ToolError('files can be read only over stdio: pass `text` instead')
  return files.read(file)
}

async function give({ files, readOnly }: McpContext, text: string, file: string | undefined) {
  if (file === undefined) return { text }
  if (!files) throw new ToolError('files can be written only over stdio: omit the file to get the result as text')
  if (readOnly) throw new ToolError('--read-only does not allow out, which writes a file')
  await files.write(file, text)
  return { file }
}

/** A recording ends when its world is reset, but it can still be saved. */
function describe(text: string) {
  const ended = findEnd(text)
  return { recording: ended === undefined, ...(ended !== undefined && { ended }), steps: countSteps(text) }
}

async function requireRecording(world: WorldClient, or = ''): Promise<string> {
  const own = await ifPresent(world.recording.read())
  if (own !== undefined) return own
  throw new ToolError(`world ${world.name} has no recording: start one with the action record${or}`)
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
