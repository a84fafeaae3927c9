import * as z from 'zod'
import { findIssues, writePath } from '#contract/records/issues.ts'
import type { WorldClient } from '../client/world-client.ts'
import type { McpContext, ToolName } from './context.ts'
import { type Arguments, ToolError, toSentence } from './errors.ts'

type Json = Record<string, unknown>

/** Every tool takes `world` besides the arguments of its actions. */
interface ToolPlan {
  name: ToolName
  title: string
  description: string
  output: z.ZodRawShape
  destructive?: boolean
  /** The first is the default. A tool with one action has no argument `action`. */
  actions: Readonly<Record<string, Action>>
}

/** Arguments of this shape are for one action. Read-only mode offers reading actions only. */
interface Action {
  shape: z.ZodRawShape
  isReading: boolean
  args: Arguments
  run(world: WorldClient, input: object, context: CallContext): Promise<object>
}

/** `named` is the world as the call names it. It need not exist yet. */
export interface CallContext extends McpContext {
  named: string | undefined
}

type Run<Shape extends z.ZodRawShape> = (
  world: WorldClient,
  input: z.output<z.ZodObject<Shape>>,
  context: CallContext,
) => Promise<object>

/** An action that changes nothing. `args` names the arguments where the control API has other names. */
export function reading<Shape extends z.ZodRawShape>(shape: Shape, run: Run<Shape>, args: Arguments = {}): Action {
  return { shape, isReading: true, args, run: run as Action['run'] }
}

export function changing<Shape extends z.ZodRawShape>(shape: Shape, run: Run<Shape>, args: Arguments = {}): Action {
  return { ...reading(shape, run, args), isReading: false }
}

export interface Tool extends Required<Omit<ToolPlan, 'actions' | 'output'>> {
  /** Whether the tool changes nothing outside read-only mode, too. */
  isReading: boolean
  inputSchema(readOnly: boolean): Json
  outputSchema: Json
  run(context: McpContext, given: unknown): Promise<Json>
}

const world = z.string().max(64).optional()

export function defineTool({ actions, output, destructive = false, ...about }: ToolPlan): Tool {
  const names = Object.keys(actions)
  const isSingle = names.length === 1
  const readingNames = names.filter((name) => actions[name]!.isReading)
  const action = z.enum(names).default(names[0]!)
  return {
    ...about,
    destructive,
    isReading: readingNames.length === names.length && !destructive,
    inputSchema: (readOnly) => toJson(toSchema(actions, readOnly ? readingNames : names)),
    outputSchema: toJson(z.looseObject(output)),
    async run(context, given) {
      const sent = given ?? {}
      const chosen = isSingle ? names[0]! : read(z.looseObject({ action }), sent).action
      const { shape, isReading, args, run } = actions[chosen]!
      if (context.readOnly && !isReading) {
        throw new ToolError(`${about.name} may only read here (--read-only): ${readingNames.join(', ')}`)
      }
      assertTaken(actions, chosen, sent)
      const common = isSingle ? { world } : { world, action }
      const input = read(z.strictObject({ ...common, ...shape }), sent, isSingle ? '' : chosen)
      const { world: named, action: _, ...own } = input as Json & { world?: string }
      const opened = context.open(readWorld(named ?? context.world))
      try {
        const result: Json = { world: opened.name, ...(await run(opened, own, { ...context, named })) }
        // A text is the result itself, such as a case.
        return { ...shorten(result), ...(result['text'] !== undefined && { text: result['text'] }) }
      } catch (error) {
        throw new ToolError(toSentence(error, args), { cause: error })
      }
    },
  }
}

/** Arguments that one of several actions requires are optional for the tool. */
function toSchema(actions: ToolPlan['actions'], offered: readonly string[]): z.ZodObject {
  if (Object.keys(actions).length === 1) return z.strictObject({ world, ...actions[offered[0]!]!.shape })
  const shapes = offered.map((name) => z.object(actions[name]!.shape).partial().shape)
  const action = z.enum(offered).default(offered[0]!)
  return z.strictObject({ action, world, ...(Object.assign({}, ...shapes) as z.ZodRawShape) })
}

/** An argument of another action is rejected by name, because the agent meant something by it. */
function assertTaken(actions: ToolPlan['actions'], action: string, sent: object): void {
  const takersOf = (name: string) => Object.keys(actions).filter((each) => Object.hasOwn(actions[each]!.shape, name))
  const untaken = Object.keys(sent).find((name) => takersOf(name).length > 0 && !takersOf(name).includes(action))
  if (untaken === undefined) return
  const takers = takersOf(untaken)
  const verb = takers.length === 1 ? 'takes' : 'take'
  throw new ToolError(`the action ${action} takes no ${untaken}: ${takers.join(', ')} ${verb} it`)
}

/** One sentence reports every error, so that the agent fixes its call in one step. */
function read<Schema extends z.ZodType>(schema: Schema, given: unknown, action = ''): z.output<Schema> {
  const { success, data } = schema.safeParse(given)
  if (success) return data
  const sentences = findIssues(schema, given).map(({ path, rule }) => {
    const isMissing = action !== '' && rule === 'is required'
    return `${writePath('', path) || 'the input'} ${rule}${isMissing ? ` for the action ${action}` : ''}`
  })
  throw new ToolError(sentences.join('; '))
}

export function readWorld(name: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(name)) return name
  throw new ToolError(`${JSON.stringify(name.slice(0, 80))} is no name of a world: 1 to 64 of a-z, 0-9 and -`)
}

/** A model need not read these: the error says which bound was exceeded. */
const LEFT_OUT = ['$schema', 'propertyNames', 'maxLength', 'maxItems', 'minimum', 'maximum'] as const

/** Every task reads the schema again, so it is as small as it can be. */
function toJson(schema: z.ZodObject): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const name of LEFT_OUT) delete jsonSchema[name]
      const { additionalProperties: more } = jsonSchema
      if (typeof more === 'object' && Object.keys(more).length === 0) delete jsonSchema.additionalProperties
    },
  })
  return json
}

/** A longer text would fill the agent's context. */
const LONGEST = 20_000

/** A body may hold a megabyte, so long texts are cut. */
export function shorten<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value ?? null, (_, each: unknown) =>
      typeof each === 'string' && each.length > LONGEST
        ? `${each.slice(0, LONGEST)}… (${each.length - LONGEST} more characters)`
        : each,
    ),
  ) as T
}
