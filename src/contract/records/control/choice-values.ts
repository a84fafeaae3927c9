import * as z from 'zod'
import { durationOf } from '../duration.ts'
import { explain } from '../issues.ts'
import { findNearest, suggestNearest } from '../nearest.ts'

export interface RateLimit {
  /** Number of requests that each caller may send in a period. */
  requests: number
  /** Length of the period on the world clock, as an ISO 8601 duration. */
  per: string
  /** Whether responses have the `RateLimit` and `RateLimit-Policy` headers. Default: true. */
  headers?: boolean | undefined
}

/**
 * The choices that a profile can set. The type is not derived from the schemas, because the published types must not
 * import zod.
 */
export interface ChoiceValues {
  /** Whether paths of document 1 must have, must not have, or may have the base path of the document. */
  readonly 'base-path': 'both' | 'with' | 'without'
  /** Default number of entries on a page. */
  readonly 'page-size': number
  /** Maximum number of entries on a page. */
  readonly 'page-max': number
  /** How operations that do not declare 400 treat malformed values. */
  readonly 'unusable-values': 'tolerate' | 'reject'
  /** Whether guest operations require an identity. */
  readonly 'guest-identity': 'optional' | 'required'
  /** Whether operation 30 accepts ZIP+4 codes. */
  readonly 'zip-plus-four': 'refused' | 'accepted'
  /** Which part of an address must match its ZIP code: the state, the state and city, or nothing. */
  readonly 'address-check': 'state' | 'city' | 'off'
  /** Status of successful responses of operations that declare both 200 and 201. */
  readonly 'created-status': 200 | 201
  /** Status of the response to operation 31 if there is nothing to cancel. */
  readonly 'cancel-nothing': 404 | 204
  /** Values of `request-source` that identify the web site. */
  readonly 'request-source-web': readonly string[]
  /** With `auto`, the status of service requests changes automatically as time passes on the world clock. */
  readonly 'ticket-progress': 'off' | 'auto'
  /** Error format of the support and event APIs. */
  readonly 'error-shape': 'envelope' | 'problem' | 'spring' | 'empty'
  /** How long an identity is valid after its first request. `none` means unlimited. */
  readonly 'session-lifetime': string
  /** Limit on the number of requests of each caller. `none` means unlimited. */
  readonly 'rate-limit': 'none' | RateLimit
  /** Maximum duration of a stream. `none` means unlimited. */
  readonly 'stream-lifetime': string
  /** Maximum number of subscriptions per user. `none` means unlimited. */
  readonly 'subscription-limit': 'none' | number
}

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

export const choiceDraft = z
  .strictObject(
    mapChoices((schema) => z.optional(schema.unwrap())),
    { error: describeUnsettable },
  )
  .superRefine((given, context) => {
    const { 'page-max': most = defaults['page-max'], 'page-size': size } = given as Partial<ChoiceValues>
    if (size === undefined || size <= most) return
    context.addIssue({ code: 'custom', message: `must be at most page-max, which is ${most}`, path: ['page-size'] })
  }) as z.ZodType<Partial<ChoiceValues>>

export function toChoiceValues(given: Partial<ChoiceValues> = {}): ChoiceValues {
  const values = { ...defaults, ...given }
  return { ...values, 'page-size': Math.min(values['page-size'], values['page-max']) }
}

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

function describeUnsettable(issue: z.core.$ZodRawIssue): string | undefined {
  const [name] = issue.code === 'unrecognized_keys' ? issue.keys : []
  return name === undefined ? undefined : `sets ${name}, which cannot be set${suggestNearest(name, choiceIds)}`
}

/** The first word is the default value. */
function oneOf<const Words extends readonly [string, ...string[]]>(
  ...words: Words
): z.ZodDefault<z.ZodType<Words[number]>> {
  const error = ({ input }: { input?: unknown }) => `must be ${words.join(' or ')}${hintOf(input, words)}`
  return z.enum(words, { error }).default(words[0] as never)
}

/** Rejects leading and trailing white space, because HTTP removes it from header values. */
function literals(fallback: string, ...taken: string[]): z.ZodDefault<z.ZodType<string[]>> {
  const literal = z
    .string()
    .max(100)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must consist of printable ASCII characters')
    .refine((value) => !taken.includes(value), `must not be one of ${taken.join(', ')}`)
  return z
    .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(literal).min(1).max(20))
    .meta({ description: '1 to 20 ASCII texts', openapi: z.union([z.string(), z.array(literal).min(1).max(20)]) })
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

/** Validates each field separately, because a zod union would not report which field is invalid. */
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
