import type { ChoiceId } from './choices.ts'

/** The place that a rule comes from; a choice that there is not does not compile. */
export type Source =
  | 'our choice'
  | `our choice: ${ChoiceId}`
  | `document ${1 | 2 | 3}${string}`
  | `${'RFC' | 'SOAP' | 'XML'} ${string}`
  | 'POST /_control/faults'

declare module 'zod' {
  interface GlobalMeta {
    /** The place that requires a field to be there, that says which type or values it has, and the choice for the rest. */
    requiredBy?: Source
    source?: Source
    choice?: ChoiceId
  }
}
