import * as z from 'zod'
import { findIssues, writePath } from '#contract/records/issues.ts'
import type { WorldClient } from '../client/world-client.ts'
import type { McpContext, ToolName } from './context.ts'
import { type Arguments, ToolError, toSentence } from './errors.ts'

type Json = Record<string, unknown>

interface ToolPlan {
  name: ToolName
  title: string
  description: string
  destructive?: boolean
  requiresAction?: boolean
  /** The first action is the default. A tool with a single action has no argument `action`. */
  actions: Readonly<Record<string, Action>>
}

/** In read-only mode, only actions with `isReading` are available. */
interface Action {
  shape: z.ZodRawShape
  isReading: boolean
  args: Arguments
  run(world: WorldClient, input: object, context: CallContext): Promise<object>
}

/** `named` is the `world` argument of the call. A world with this name may not exist yet. */
export interface CallContext extends McpContext {
  named: string | undefined
}

type Run<Shape extends z.ZodRawShape> = (
  world: WorldClient,
  input: z.output<z.ZodObject<Shape>>,
  context: CallContext,
) => Promise<object>

export function reading<Shape extends z.ZodRawShape>(shape: Shape, run: Run<Shape>, args: Arguments = {}): Action {
  return { shape, isReading: true, args, run: run as Action['run'] }
}

export function changing<Shape extends z.ZodRawShape>(shape: Shape, run: Run<Shape>, args: Arguments = {}): Action {
  return { ...reading(shape, run, args), isReading: false }
}

export interface Tool extends Required<Omit<ToolPlan, 'actions' | 'requiresAction'>> {
  isReading: boolean
  inputSchema(readOnly: boolean): Json
  run(context: McpContext, given: unknown): Promise<Json>
}

const PLACEHOLDERS = '{{token:1}} replaces a secret. Equal secrets have equal numbers.'
const world = z.string().max(64).optional()

export function defineTool({ actions, destructive = false, requiresAction = false, ...about }: ToolPlan): Tool {
  const names = Object.keys(actions)
  const isSingle = names.length === 1
  const readingNames = names.filter((name) => actions[name]!.isReading)
  const actionOf = (offered: readonly string[]) =>
    requiresAction ? z.enum(offered) : z.enum(offered).default(offered[0]!)
  const action = actionOf(names)
  return {
    ...about,
    destructive,
    isReading: readingNames.length === names.length && !destructive,
    inputSchema: (readOnly) => toJson(toSchema(actions, readOnly ? readingNames : names, actionOf)),
    async run(context, given) {
      const sent = given ?? {}
      if (requiresAction && !Object.hasOwn(sent, 'action')) {
        throw new ToolError(`action is required: one of ${(context.readOnly ? readingNames : names).join(', ')}`)
      }
      const chosen = isSingle ? names[0]! : read(z.looseObject({ action }), sent).action
      const { shape, isReading, args, run } = actions[chosen]!
      if (context.readOnly && !isReading) {
        const left = readingNames.join(', ') || 'none'
        throw new ToolError(
          `--read-only does not allow the action ${chosen}; allowed actions of ${about.name}: ${left}`,
        )
      }
      assertAccepted(actions, chosen, sent)
      const common = isSingle ? { world } : { world, action }
      assertNamed({ ...common, ...shape }, sent, args)
      const input = read(z.strictObject({ ...common, ...shape }), sent, isSingle ? '' : chosen)
      const { world: named, action: _, ...own } = input as Json & { world?: string }
      const opened = context.open(readWorld(named ?? context.world))
      try {
        const result: Json = { world: opened.name, ...(await run(opened, own, { ...context, named })) }
        // `text` is the requested result, such as a case, and is never truncated.
        const shown = { ...shorten(result), ...(result['text'] !== undefined && { text: result['text'] }) }
        return JSON.stringify(shown).includes('{{token:') ? { ...shown, note: PLACEHOLDERS } : shown
      } catch (error) {
        const sentence = toSentence(error, args)
        throw new ToolError(context.readOnly ? sentence.replace(' and creates one', '') : sentence, { cause: error })
      }
    },
  }
}

/** If there are several actions, every argument is optional in the schema. */
function toSchema(
  actions: ToolPlan['actions'],
  offered: readonly string[],
  actionOf: (offered: readonly string[]) => z.ZodType,
): z.ZodObject {
  if (Object.keys(actions).length === 1) return z.strictObject({ world, ...actions[offered[0]!]!.shape })
  const shapes = offered.map((name) => z.object(actions[name]!.shape).partial().shape)
  return z.strictObject({ action: actionOf(offered), world, ...(Object.assign({}, ...shapes) as z.ZodRawShape) })
}

function assertAccepted(actions: ToolPlan['actions'], action: string, sent: object): void {
  const actionsWith = (name: string) => Object.keys(actions).filter((each) => Object.hasOwn(actions[each]!.shape, name))
  const foreign = Object.keys(sent).find((name) => actionsWith(name).length > 0 && !actionsWith(name).includes(action))
  if (foreign === undefined) return
  throw new ToolError(`the action ${action} has no argument ${foreign}: use it with ${actionsWith(foreign).join(', ')}`)
}

/** Agents know the names of the control API from its responses. */
function assertNamed(shape: z.ZodRawShape, sent: object, args: Arguments): void {
  const foreign = Object.keys(sent).find((name) => Object.hasOwn(args, name) && !Object.hasOwn(shape, name))
  if (foreign !== undefined) throw new ToolError(`the input has no field ${foreign}; use ${args[foreign]}`)
}

/** Where an agent finds the value of an argument. */
const sources: Readonly<Record<string, string>> = {
  entry: 'the tool `journal` lists the entries',
  srid: 'operation 19 lists the tickets',
  subscriptionId: 'the action list returns the open streams',
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown, action = ''): z.output<Schema> {
  const { success, data } = schema.safeParse(given)
  if (success) return data
  const sentences = findIssues(schema, given).map(({ path, rule }) => {
    const isMissing = rule === 'is required'
    const name = writePath('', path) || 'the input'
    const hint = isMissing && Object.hasOwn(sources, name) ? `: ${sources[name]}` : ''
    return `${name} ${rule}${isMissing && action !== '' ? ` for the action ${action}` : ''}${hint}`
  })
  throw new ToolError(sentences.join('; '))
}

export function readWorld(name: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(name)) return name
  throw new ToolError(`${JSON.stringify(name.slice(0, 80))} is not a valid world name: use 1 to 64 of a-z, 0-9 and -`)
}

/** Keywords that are omitted from schemas to save tokens. Error messages state the limits. */
const LEFT_OUT = ['additionalProperties', 'propertyNames', 'maxLength', 'maxItems', 'minimum', 'maximum'] as const

/** Agents read the schemas in each session, so they must be small. */
function toJson(schema: z.ZodObject): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const name of LEFT_OUT) delete jsonSchema[name]
    },
  })
  return json
}

/** Truncates strings above this length, which would fill the agent's context. */
export function shorten<T>(value: T, longest = 20_000): T {
  return JSON.parse(
    JSON.stringify(value ?? null, (_, each: unknown) => (typeof each === 'string' ? cut(each, longest) : each)),
  ) as T
}

export function cut(text: string, longest: number, hint = ''): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest)}… (${text.length - longest} more characters${hint})`
}
