import * as z from 'zod'
import { durationOf } from '../duration.ts'
import { explain } from '../issues.ts'
import { findNearest, sayNearest } from '../nearest.ts'

/** The limit applies to each caller. */
export interface RateLimit {
  /** Requests in each `per`. */
  requests: number
  /** An ISO 8601 duration on the world's clock. */
  per: string
  /** Whether responses have RateLimit and RateLimit-Policy. Default: true. */
  headers?: boolean | undefined
}

/** The choices that a profile can set. Written out, because the package's types do not import zod. */
export interface ChoiceValues {
  /** Whether paths of document 1 must, may or must not start with its base path. */
  readonly 'base-path': 'both' | 'with' | 'without'
  /** Entries of a page where the client names no number. */
  readonly 'page-size': number
  /** The most entries of a page. */
  readonly 'page-max': number
  /** What becomes of unusable values where the document declares no 400. */
  readonly 'unusable-values': 'tolerate' | 'reject'
  /** Whether guests must say who they are. */
  readonly 'guest-identity': 'optional' | 'required'
  /** Whether operation 30 accepts nine digits. */
  readonly 'zip-plus-four': 'refused' | 'accepted'
  /** Whether an address must agree with its ZIP code in the state, in the city too, or not at all. */
  readonly 'address-check': 'state' | 'city' | 'off'
  /** The status of a success where a document also declares 201. */
  readonly 'created-status': 200 | 201
  /** The status of operation 31 where there is nothing to cancel. */
  readonly 'cancel-nothing': 404 | 204
  /** Values of `request-source` that mean the web site. */
  readonly 'request-source-web': readonly string[]
  /** `auto` moves requests by the world's clock. */
  readonly 'ticket-progress': 'off' | 'auto'
  /** The form of errors of documents 1 and 2a. */
  readonly 'error-shape': 'envelope' | 'problem' | 'spring' | 'empty'
  /** How long an identity is valid after its first call. `none` never ends it. */
  readonly 'session-lifetime': string
  /** The requests that each caller may send. */
  readonly 'rate-limit': 'none' | RateLimit
  /** How long a stream lasts. `none` never ends it. */
  readonly 'stream-lifetime': string
  /** The most subscriptions of a user. */
  readonly 'subscription-limit': 'none' | number
}

/** One schema for each choice that a profile can set. The default is what a plain world does. */
export const choiceSchemas: { readonly [Id in keyof ChoiceValues]: z.ZodDefault<z.ZodType<ChoiceValues[Id]>> } = {
  'base-path': oneOf('both', 'with', 'without'),
  'page-size': wholeNumber(20, 1000),
  'page-max': wholeNumber(100, 1000),
  'unusable-values': oneOf('tolerate', 'reject'),
  'guest-identity': oneOf('optional', 'required'),
  'zip-plus-four': oneOf('refused', 'accepted'),
  'address-check': oneOf('state', 'city', 'off'),
  'created-status': z.literal([200, 201]).default(200),
  'cancel-nothing': z.literal([404, 204]).default(404),
  'request-source-web': literals('vendor.com', 'splus', 'voyager'),
  'ticket-progress': oneOf('off', 'auto'),
  'error-shape': oneOf('envelope', 'problem', 'spring', 'empty'),
  'session-lifetime': durationOf('none').default('none'),
  'rate-limit': rateLimit(),
  'stream-lifetime': durationOf('none').default('none'),
  'subscription-limit': numberOrNone(1000),
}

const choiceIds = Object.keys(choiceSchemas) as (keyof ChoiceValues)[]
const defaults = mapChoices((schema) => schema.parse(undefined)) as ChoiceValues

/** Choices that the profile does not name keep their values. */
export const choiceDraft = z
  .strictObject(
    mapChoices((schema) => z.optional(schema.unwrap())),
    { error: sayUnsettable },
  )
  .superRefine((given, context) => {
    const { 'page-max': most = defaults['page-max'], 'page-size': size } = given as Partial<ChoiceValues>
    if (size === undefined || size <= most) return
    context.addIssue({ code: 'custom', message: `must be at most page-max, which is ${most}`, path: ['page-size'] })
  }) as z.ZodType<Partial<ChoiceValues>>

/** A smaller maximum also makes the page of a client smaller that asks for no size. */
export function toChoiceValues(given: Partial<ChoiceValues> = {}): ChoiceValues {
  const values = { ...defaults, ...given }
  return { ...values, 'page-size': Math.min(values['page-size'], values['page-max']) }
}

/** The values of a schema, the default first. Where they are too many to list, the schema's description. */
export function describeAllowed(schema: z.ZodType): (string | number)[] {
  const inner = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema
  if (inner instanceof z.ZodEnum) return inner.options
  if (inner instanceof z.ZodLiteral) return [...inner.values] as (string | number)[]
  return [inner.description ?? 'any']
}

function mapChoices<T>(make: (schema: z.ZodDefault<z.ZodType>) => T): Record<keyof ChoiceValues, T> {
  const made = choiceIds.map((id) => [id, make(choiceSchemas[id])] as const)
  return Object.fromEntries(made) as Record<keyof ChoiceValues, T>
}

function sayUnsettable(issue: z.core.$ZodRawIssue): string | undefined {
  const [name] = issue.code === 'unrecognized_keys' ? issue.keys : []
  return name === undefined ? undefined : `sets ${name}, which cannot be set${sayNearest(name, choiceIds)}`
}

/** The first word is the default. */
function oneOf<const Words extends readonly [string, ...string[]]>(
  ...words: Words
): z.ZodDefault<z.ZodType<Words[number]>> {
  const error = ({ input }: { input?: unknown }) => `must be ${words.join(' or ')}${hintOf(input, words)}`
  return z.enum(words, { error }).default(words[0] as never)
}

/** HTTP strips blanks at both ends, so such a value could never arrive. */
function literals(fallback: string, ...taken: string[]): z.ZodDefault<z.ZodType<string[]>> {
  const literal = z
    .string()
    .max(100)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable characters of ASCII')
    .refine((value) => !taken.includes(value), `must be none of ${taken.join(', ')}`)
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(literal).min(1).max(20))
    .meta({ description: '1 to 20 literals', openapi: z.union([z.string(), z.array(literal).min(1).max(20)]) })
    .default([fallback])
}

function wholeNumber(fallback: number, most: number): z.ZodDefault<z.ZodType<number>> {
  return z.int().min(1).max(most).describe(`1 to ${most}`).default(fallback)
}

function numberOrNone(most: number): z.ZodDefault<z.ZodType<'none' | number>> {
  const error = `must be none or a whole number from 1 to ${most}`
  return z
    .union([z.literal('none'), z.int().min(1).max(most)], { error })
    .describe(`none or 1 to ${most}`)
    .default('none')
}

/** A union would report no findings, so an object is checked field by field. */
function rateLimit(): z.ZodDefault<z.ZodType<'none' | RateLimit>> {
  const bounds = z.strictObject({
    requests: z.int().min(1).max(1_000_000_000),
    per: durationOf(),
    headers: z.boolean().optional(),
  })
  const word = z.literal('none', { error: ({ input }) => `must be none or {requests, per}${hintOf(input, ['none'])}` })
  return z
    .unknown()
    .transform((given, context) => {
      const read = explain(typeof given === 'object' && given !== null ? bounds : word, given)
      if (read.success) return read.data
      for (const { message, path } of read.error.issues) context.addIssue({ code: 'custom', message, path: [...path] })
      return z.NEVER
    })
    .meta({
      description: 'none or {requests, per: a duration such as PT1M, headers: true or false}',
      openapi: z.union([word, bounds]),
    })
    .default('none') as never
}

function hintOf(input: unknown, words: readonly string[]): string {
  const nearest = findNearest(String(input), words)
  return nearest === undefined ? '' : `; the nearest is ${nearest}`
}
