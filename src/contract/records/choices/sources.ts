import type { ChoiceId } from './choices.ts'

/** The place that a rule comes from; a choice that there is not does not compile. */
export type Source =
  | `our choice: ${ChoiceId}`
  | `document ${1 | 2 | 3}${string}`
  | `${'RFC' | 'SOAP' | 'XML'} ${string}`
  | 'POST /_control/faults'

/** Choices that fields name. Written out: the values of choices are schemas themselves, whose types would go in circles. */
type FieldChoice = 'page-max' | 'identity-form' | 'required-bodies'
type FieldSource = `our choice: ${FieldChoice}` | `document ${1 | 2 | 3}${string}`

declare module 'zod' {
  interface GlobalMeta {
    /** The place that requires a field to be there, that says which type or values it has, and the choice for the rest. */
    requiredBy?: FieldSource
    source?: FieldSource
    choice?: FieldChoice
  }
}
