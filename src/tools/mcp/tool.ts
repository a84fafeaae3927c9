import { z } from 'zod'
import { findIssues, writePath } from '../../contract/records/issues.ts'
import type { WorldClient } from '../control-client/world-client.ts'
import type { McpContext, ToolName } from './context.ts'
import { ToolError, toSentence, type Words } from './errors.ts'

type Result = Record<string, unknown>
type Json = Record<string, unknown>

/** A tool as its file writes it; every one takes `world` too. */
interface ToolPlan<Shape extends z.ZodRawShape> {
  name: ToolName
  title: string
  description: string
  input: Shape
  output: z.ZodRawShape
  /** Actions that change nothing; `all` of a tool without actions, `none` of one that changes whenever it is called. */
  reads: readonly string[] | 'all' | 'none'
  destructive?: boolean
  /** The arguments that each action takes, of a tool that has actions. */
  takes?: Readonly<Record<string, readonly (keyof Shape & string)[]>>
  /** The words of its sentences for the parts of a call of the control API, by its input. */
  words?: (input: z.output<z.ZodObject<Shape>>) => Words
  /** `named`: the world as it was given, which there need not be yet. */
  run(world: WorldClient, input: z.output<z.ZodObject<Shape>>, context: McpContext, named?: string): Promise<Result>
}

/** As it is offered. */
export interface Tool {
  name: ToolName
  title: string
  description: string
  destructive: boolean
  /** Whether it does nothing but read; of those that may do both, where only that is allowed. */
  isReading(readOnly: boolean): boolean
  /** Whether anything is left of it where nothing may be changed. */
  hasReading: boolean
  inputSchema(readOnly: boolean): Json
  outputSchema: Json
  run(context: McpContext, given: unknown): Promise<Result>
}

const world = z.string().max(64).optional()

interface Common {
  world?: string
  action?: string
}

export function defineTool<const Shape extends z.ZodRawShape>(plan: ToolPlan<Shape>): Tool {
  const { name, title, description, reads, destructive = false } = plan
  const schema = z.strictObject({ world, ...plan.input })
  const actions = Array.isArray(reads) ? (reads as readonly string[]) : undefined
  return {
    name,
    title,
    description,
    destructive,
    isReading: (readOnly) => readOnly || reads === 'all',
    hasReading: reads !== 'none',
    inputSchema: (readOnly) => toJson(schema, readOnly ? actions : undefined),
    outputSchema: toJson(z.looseObject(plan.output)),
    async run(context, sent) {
      const { world: named, ...input } = read(schema, sent) as z.output<z.ZodObject<Shape>> & Common
      if (context.readOnly && actions && !actions.includes(input.action ?? actions[0]!)) {
        throw new ToolError(`${name} may only read here (--read-only): ${actions.join(', ')}`)
      }
      if (plan.takes) assertTaken(plan.takes, input.action ?? '', sent)
      const world = context.open(readWorld(named ?? context.world))
      const given = input as z.output<z.ZodObject<Shape>>
      try {
        return await plan.run(world, given, context, named)
      } catch (error) {
        throw new ToolError(toSentence(error, plan.words?.(given)), { cause: error })
      }
    },
  }
}

/** An argument that the action would not look at is refused by name: whoever gave it meant something by it. */
function assertTaken(takes: Readonly<Record<string, readonly string[]>>, action: string, sent: unknown): void {
  const known = ['world', 'action', ...(takes[action] ?? [])]
  const untaken = Object.keys(Object(sent)).find((name) => !known.includes(name))
  if (untaken === undefined) return
  const takers = Object.keys(takes).filter((each) => takes[each]!.includes(untaken))
  const verb = takers.length === 1 ? 'takes' : 'take'
  throw new ToolError(`the action ${action} takes no ${untaken}: ${takers.join(', ')} ${verb} it`)
}

/** Our own words of what is wrong, all of it in one sentence. */
function read(schema: z.ZodType, given: unknown): unknown {
  const { success, data } = schema.safeParse(given ?? {})
  if (success) return data
  const sentences = findIssues(schema, given ?? {}).map(
    ({ path, rule }) => `${writePath('', path) || 'the input'} ${rule}`,
  )
  throw new ToolError(sentences.join('; '))
}

export function readWorld(name: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(name)) return name
  throw new ToolError(`${JSON.stringify(name.slice(0, 80))} is no name of a world: 1 to 64 of a-z, 0-9 and -`)
}

/** Keywords that a model need not read: a bound is told where it is passed, and an open schema needs no word. */
const UNTOLD = ['$schema', 'propertyNames', 'maxLength', 'maxItems', 'minimum', 'maximum'] as const

/** As small as it can be: it is read with every task. */
function toJson(schema: z.ZodObject, actions?: readonly string[]): Json {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const name of UNTOLD) delete jsonSchema[name]
      const { additionalProperties: more } = jsonSchema
      if (typeof more === 'object' && Object.keys(more).length === 0) delete jsonSchema.additionalProperties
    },
  }) as Json & { properties: Record<string, Json> }
  delete json.$schema
  const { action, ...others } = json.properties
  if (!action) return json
  return { ...json, properties: { action: actions ? { ...action, enum: actions } : action, ...others } }
}

/** A value that an action cannot do without. */
export function need<T>(value: T | undefined, name: string, action: string): T {
  if (value === undefined) throw new ToolError(`${name} is required for the action ${action}`)
  return value
}

/** Characters of one text in a result. */
const LONGEST = 20_000

/** The same with long texts cut: a body may be a megabyte. */
export function shorten<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value ?? null, (_, each: unknown) =>
      typeof each === 'string' && each.length > LONGEST
        ? `${each.slice(0, LONGEST)}… (${each.length - LONGEST} more characters)`
        : each,
    ),
  ) as T
}
