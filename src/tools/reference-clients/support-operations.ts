import type { SupportOperations } from 'vendor-cloud/types'

export type SupportOperation = keyof SupportOperations
export type Row<Name extends SupportOperation> = SupportOperations[Name]
export type Parameters<Name extends SupportOperation> = Row<Name> extends { parameters: infer P } ? P : object
type SentBody<Name extends SupportOperation> =
  Row<Name> extends { body: infer B }
    ? [body: B]
    : Row<Name> extends { form: infer Field extends string }
      ? [body: Record<Field, Blob>]
      : []
/** Only required fields need to be given. */
export type Arguments<Name extends SupportOperation> =
  SentBody<Name> extends []
    ? object extends Parameters<Name>
      ? [parameters?: Parameters<Name>]
      : [parameters: Parameters<Name>]
    : [parameters: Parameters<Name>, ...SentBody<Name>]

/** Only these operations answer pages. */
export type PagedOperation = {
  [Name in SupportOperation]: Row<Name>['reply'] extends { items: unknown[]; hasMore: boolean } ? Name : never
}[SupportOperation]
export type Item<Name extends PagedOperation> = Row<Name>['reply']['items'][number]
