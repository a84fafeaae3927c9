import { z } from 'zod'
import type { Choice } from './choice.ts'
import type { RateLimit } from './rate-limit.ts'
import { type ChoiceId, choices } from './choices.ts'

type Valued = { [Id in ChoiceId]: (typeof choices)[Id] extends { value: z.ZodType } ? Id : never }[ChoiceId]

/** Written out, because the package's types do not hold the page. */
export interface ChoiceValues {
  /** Document 1's base path must, may or must not stand before its paths. */
  readonly 'base-path': 'both' | 'with' | 'without'
  /** A page has so many entries where a client names no number. */
  readonly 'page-size': number
  /** No page has more entries. */
  readonly 'page-max': number
  /** `required` refuses guests who do not say who they are. */
  readonly 'guest-identity': 'optional' | 'required'
  /** Operation 30 refuses or takes nine digits. */
  readonly 'zip-plus-four': 'refused' | 'accepted'
  /** An address must agree with its zip code in the state, in the city too, or not at all. */
  readonly 'address-check': 'state' | 'city' | 'off'
  /** The status of a success where a document also declares 201. */
  readonly 'created-status': 200 | 201
  /** Operation 31 answers this status where nothing is to be cancelled. */
  readonly 'cancel-nothing': 404 | 204
  /** These values of `request-source` count as the web site. */
  readonly 'request-source-web': readonly string[]
  /** `auto` moves requests on by the clock. */
  readonly 'ticket-progress': 'off' | 'auto'
  /** Errors of documents 1 and 2a have this form. */
  readonly 'error-shape': 'envelope' | 'problem' | 'spring' | 'empty'
  /** An identity is good for so long after its first call; `none` never ends it. */
  readonly 'session-lifetime': string
  /** Each caller may send so many requests. */
  readonly 'rate-limit': 'none' | RateLimit
  /** A stream ends after so long; `none` lets it live. */
  readonly 'stream-lifetime': string
}

const schemas = Object.fromEntries(
  Object.entries<Choice>(choices).flatMap(([id, { value }]) => (value ? [[id, z.optional(value.unwrap())]] : [])),
) as { [Id in Valued]: z.ZodOptional<z.ZodType<ChoiceValues[Id]>> }

/** Choices that the profile does not name keep their values. */
export const choiceDraft = z.strictObject(schemas, { error: sayUnsettable }).superRefine((given, context) => {
  const { 'page-max': most = defaults['page-max'], 'page-size': size } = given
  if (size === undefined || size <= most) return
  context.addIssue({ code: 'custom', path: ['page-size'], message: `must be at most page-max, which is ${most}` })
}) as z.ZodType<Partial<ChoiceValues>>

/** A choice may exist without being settable, which the message tells. */
function sayUnsettable(issue: z.core.$ZodRawIssue): string | undefined {
  const [name = ''] = issue.code === 'unrecognized_keys' ? issue.keys : []
  return Object.hasOwn(choices, name) ? `sets ${name}, which cannot be set` : undefined
}

const defaults = Object.fromEntries(
  Object.entries<Choice>(choices).flatMap(([id, { value }]) => (value ? [[id, value.parse(undefined)]] : [])),
) as { [Id in Valued]: ChoiceValues[Id] }

/** A smaller maximum also makes the page of a client smaller that asks for no size. */
export function toChoiceValues(given: Partial<ChoiceValues> = {}): ChoiceValues {
  const values = { ...defaults, ...given }
  return { ...values, 'page-size': Math.min(values['page-size'], values['page-max']) }
}
