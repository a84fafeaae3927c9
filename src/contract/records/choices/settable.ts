import { z } from 'zod'
import type { Choice } from './choice.ts'
import type { RateLimit } from './rate-limit.ts'
import { type ChoiceId, choices } from './choices.ts'

type Valued = { [Id in ChoiceId]: (typeof choices)[Id] extends { value: z.ZodType } ? Id : never }[ChoiceId]

/** Of each choice that can be set its value, as rules ask for it. Written out: the package's types hold no page. */
export interface ChoiceValues {
  /** Whether document 1's base path must, may or must not stand before its paths. */
  readonly 'base-path': 'both' | 'with' | 'without'
  /** Whose time the header `Date` tells. */
  readonly 'date-header': 'real' | 'world'
  /** Entries of a page where a client names no number. */
  readonly 'page-size': number
  /** The most entries of a page. */
  readonly 'page-max': number
  /** Whether guests must say who they are. */
  readonly 'guest-identity': 'optional' | 'required'
  /** Whether operation 30 takes nine digits. */
  readonly 'zip-plus-four': 'refused' | 'accepted'
  /** How far an address must agree with its zip code. */
  readonly 'address-check': 'state' | 'city' | 'off'
  /** The status where a document also declares 201. */
  readonly 'created-status': 200 | 201
  /** The status of operation 31 where nothing is to be cancelled. */
  readonly 'cancel-nothing': 404 | 204
  /** Values of `request-source` that count as the web site's. */
  readonly 'request-source-web': readonly string[]
  /** Whether identities are names, or any 1 to 512 printable characters. */
  readonly 'identity-form': 'plain' | 'any'
  /** Whether requests move on by the clock. */
  readonly 'ticket-progress': 'off' | 'auto'
  /** How long after its missed appointment a request closes by itself; or `never`. */
  readonly 'missed-closes-after': string
  /** Whether centers and stores are closed on the federal holidays. */
  readonly holidays: 'us' | 'none'
  /** Slots that start within so long are not offered any more. */
  readonly 'lead-time': string
  /** Days of in-home windows, today's among them. */
  readonly 'in-home-days': number
  /** How many days after today an in-store appointment may be. */
  readonly 'in-store-days': number
  /** How errors of documents 1 and 2a look. */
  readonly 'error-shape': 'envelope' | 'problem' | 'spring' | 'empty'
  /** How long after its first call an identity is good; or `none`. */
  readonly 'session-lifetime': string
  /** How many requests each caller may send. */
  readonly 'rate-limit': 'none' | RateLimit
  /** How much later than its writer others see a write of document 1. */
  readonly 'replication-lag': string
  /** How long a stream lives; or `none`. */
  readonly 'stream-lifetime': string
}

const schemas = Object.fromEntries(
  Object.entries<Choice>(choices).flatMap(([id, { value }]) => (value ? [[id, z.optional(value.unwrap())]] : [])),
) as { [Id in Valued]: z.ZodOptional<z.ZodType<ChoiceValues[Id]>> }

/** The choices that a profile sets; the others stay as they are. */
export const choiceDraft = z.strictObject(schemas, { error: sayUnsettable }).superRefine((given, context) => {
  const { 'page-max': most = defaults['page-max'], 'page-size': size } = given
  if (size === undefined || size <= most) return
  context.addIssue({ code: 'custom', path: ['page-size'], message: `must be at most page-max, which is ${most}` })
}) as z.ZodType<Partial<ChoiceValues>>

/** A choice that there is, and that nothing bends. */
function sayUnsettable(issue: z.core.$ZodRawIssue): string | undefined {
  const [name = ''] = issue.code === 'unrecognized_keys' ? issue.keys : []
  return Object.hasOwn(choices, name) ? `sets ${name}, which cannot be set` : undefined
}

const defaults = Object.fromEntries(
  Object.entries<Choice>(choices).flatMap(([id, { value }]) => (value ? [[id, value.parse(undefined)]] : [])),
) as { [Id in Valued]: ChoiceValues[Id] }

/** All values of a world. A smaller page at most makes that of a client that asks for none smaller too. */
export function toChoiceValues(given: Partial<ChoiceValues> = {}): ChoiceValues {
  const values = { ...defaults, ...given }
  return { ...values, 'page-size': Math.min(values['page-size'], values['page-max']) }
}
