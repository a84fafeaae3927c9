import { assertOwnCompany, type Dealer } from '#server/domain/identity.ts'
import type { RequestContext } from '#server/http/operations.ts'

/**
 * Our choice: naming another company in `companyId` is 403, in query or body and on every dealer operation. It is
 * looked at before the input is checked, since roles come before input (our choice).
 */
export function refuseOtherCompanies({ caller, query, body }: RequestContext<Dealer>): void {
  for (const input of [query, body]) assertOwnCompany(caller, namedIn(input, 'companyId'))
}

/** Our choice: a `bpNo` in the query names a customer too where the document declares no query (13, 14). */
export function alsoNamed(customerId: string, query: unknown, body: { bpNo?: string | undefined }): string | undefined {
  const bpNo = namedIn(query, 'bpNo')
  return bpNo === customerId ? body.bpNo : (bpNo ?? body.bpNo)
}

/** An empty value counts as absent. A value that is not text is left to the validation of input. */
function namedIn(input: unknown, name: 'companyId' | 'bpNo'): string | undefined {
  const named = (input as Record<string, unknown> | null | undefined)?.[name]
  return typeof named === 'string' && named !== '' ? named : undefined
}
