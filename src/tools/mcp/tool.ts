import { z } from 'zod'
import { findIssues, writePath } from '#contract/records/issues.ts'
import type { WorldClient } from '../client/world-client.ts'
import type { McpContext, ToolName } from './context.ts'
import { ToolError, toSentence, type Words } from './errors.ts'

type Result = Record<string, unknown>
type Json = Record<string, unknown>

/** Every tool takes `world` besides its own fields. */
interface ToolPlan<Shape extends z.ZodRawShape> {
  name: ToolName
  title: string
  description: string
  input: Shape
  output: z.ZodRawShape
  /** Actions that change nothing; `all` and `none` are for tools without actions. */
  reads: readonly string[] | 'all' | 'none'
  destructive?: boolean
  /** An action refuses the arguments of the others. */
  takes?: Readonly<Record<string, readonly (keyof Shape & string)[]>>
  /** Translates parts of a call of the control API into the tool's arguments, by its input. */
  words?: (input: z.output<z.ZodObject<Shape>>) => Words
  /** `named` is the world as it was given; it need not exist yet. */
  run(world: WorldClient, input: z.output<z.ZodObject<Shape>>, context: McpContext, named?: string): Promise<Result>
}

export interface Tool {
  name: ToolName
  title: string
  description: string
  destructive: boolean
  /** A tool that reads and writes counts as reading when `readOnly` allows nothing else. */
  isReading(readOnly: boolean): boolean
  /** A tool without reading actions is not offered in read-only mode. */
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

/** An argument that the action ignores is refused by name, because the agent meant something by it. */
function assertTaken(takes: Readonly<Record<string, readonly string[]>>, action: string, sent: unknown): void {
  const known = ['world', 'action', ...(takes[action] ?? [])]
  const untaken = Object.keys(Object(sent)).find((name) => !known.includes(name))
  if (untaken === undefined) return
  const takers = Object.keys(takes).filter((each) => takes[each]!.includes(untaken))
  const verb = takers.length === 1 ? 'takes' : 'take'
  throw new ToolError(`the action ${action} takes no ${untaken}: ${takers.join(', ')} ${verb} it`)
}

/** All that is wrong is told in one sentence, so that the agent can mend it at once. */
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

/** A model need not read these: a bound is told when it is exceeded. */
const UNTOLD = ['$schema', 'propertyNames', 'maxLength', 'maxItems', 'minimum', 'maximum'] as const

/** Every task reads the schema again, so it is as small as it can be. */
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

export function need<T>(value: T | undefined, name: string, action: string): T {
  if (value === undefined) throw new ToolError(`${name} is required for the action ${action}`)
  return value
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
