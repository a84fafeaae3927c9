import { assertOwnCompany, type Dealer } from '#server/domain/identity.ts'
import type { RequestContext } from '#server/http/operations.ts'

/**
 * Our choice: a dealer operation is rejected with 403 if the query or body contains the `companyId` of another company.
 * This check runs before the input is validated, because authorization precedes validation (our choice).
 */
export function refuseOtherCompanies({ caller, query, body }: RequestContext<Dealer>): void {
  for (const input of [query, body]) assertOwnCompany(caller, namedIn(input, 'companyId'))
}

/**
 * Our choice: `bpNo` in the query also identifies the customer in operations 13 and 14, although the document declares
 * no query for them.
 */
export function alsoNamed(customerId: string, query: unknown, body: { bpNo?: string | undefined }): string | undefined {
  const bpNo = namedIn(query, 'bpNo')
  return bpNo === customerId ? body.bpNo : (bpNo ?? body.bpNo)
}

/** An empty value counts as absent. A value that is not a string is rejected later by input validation. */
function namedIn(input: unknown, name: 'companyId' | 'bpNo'): string | undefined {
  const named = (input as Record<string, unknown> | null | undefined)?.[name]
  return typeof named === 'string' && named !== '' ? named : undefined
}
