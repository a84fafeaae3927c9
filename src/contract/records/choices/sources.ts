import type { ChoiceId } from './choices.ts'

/** The place that a rule comes from; a choice that there is not does not compile. */
export type Source =
  | `our choice: ${ChoiceId}`
  | `document ${1 | 2 | 3}${string}`
  | `${'RFC' | 'SOAP' | 'XML'} ${string}`
  | 'POST /_control/faults'

/** Choices that fields name, written out: choices hold schemas themselves, so derived types would go in circles. */
type FieldChoice = 'page-max' | 'identity-form' | 'required-bodies'
type FieldSource = `our choice: ${FieldChoice}` | `document ${1 | 2 | 3}${string}`

declare module 'zod' {
  interface GlobalMeta {
    /** The place that requires a field; `source` says which type or values it has, and `choice` the rest. */
    requiredBy?: FieldSource
    source?: FieldSource
    choice?: FieldChoice
  }
}
