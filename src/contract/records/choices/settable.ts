import { z } from 'zod'
import type { Choice } from './choice.ts'
import { type ChoiceId, choices } from './choices.ts'

type Valued = { [Id in ChoiceId]: (typeof choices)[Id] extends { value: z.ZodType } ? Id : never }[ChoiceId]
type Value<Id extends Valued> = (typeof choices)[Id] extends { value: infer Schema } ? z.output<Schema> : never

/** Of each choice that can be set its value, as rules ask for it. */
export type ChoiceValues = { readonly [Id in Valued]: Value<Id> }

const schemas = Object.fromEntries(
  Object.entries<Choice>(choices).flatMap(([id, { value }]) => (value ? [[id, z.optional(value.unwrap())]] : [])),
)

/** The choices that a profile sets; the others stay as they are. */
export const choiceDraft = z.strictObject(schemas).superRefine((given, context) => {
  const { 'page-max': most = defaults['page-max'], 'page-size': size } = given as Partial<ChoiceValues>
  if (size === undefined || size <= most) return
  context.addIssue({ code: 'custom', path: ['page-size'], message: `must be at most page-max, which is ${most}` })
}) as unknown as z.ZodType<Partial<ChoiceValues>, Partial<ChoiceValues>>

const defaults = Object.fromEntries(
  Object.entries<Choice>(choices).flatMap(([id, { value }]) => (value ? [[id, value.parse(undefined)]] : [])),
) as ChoiceValues

/** All values of a world. A smaller page at most makes that of a client that asks for none smaller too. */
export function toChoiceValues(given: Partial<ChoiceValues> = {}): ChoiceValues {
  const values = { ...defaults, ...given }
  return { ...values, 'page-size': Math.min(values['page-size'], values['page-max']) }
}
