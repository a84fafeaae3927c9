import type { ChoiceId } from './choices.ts'

/** A choice that does not exist does not compile. */
export type Source =
  | `our choice: ${ChoiceId}`
  | `document ${1 | 2 | 3}${string}`
  | `${'RFC' | 'SOAP' | 'XML'} ${string}`
  | 'POST /_control/faults'

/** Written out, because choices hold schemas themselves and derived types would be circular. */
type FieldChoice = 'page-max' | 'identity-form' | 'required-bodies'
type FieldSource = `our choice: ${FieldChoice}` | `document ${1 | 2 | 3}${string}`

declare module 'zod' {
  interface GlobalMeta {
    /** `source` says which type or values the field has, and `choice` the rest. */
    requiredBy?: FieldSource
    source?: FieldSource
    choice?: FieldChoice
  }
}
