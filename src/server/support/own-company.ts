import { assertOwnCompany, type Dealer } from '#server/domain/identity.ts'
import type { RequestContext } from '#server/http/operations.ts'

/** Our choice: another company's `companyId` gets 403 before validation, because authorization comes first. */
export function refuseOtherCompanies({ caller, query, body }: RequestContext<Dealer>): void {
  for (const input of [query, body]) assertOwnCompany(caller, namedIn(input, 'companyId'))
}

/** Our choice: operations 13 and 14 also accept `bpNo` in the query, which the document does not declare. */
export function alsoNamed(customerId: string, query: unknown, body: { bpNo?: string | undefined }): string | undefined {
  const bpNo = namedIn(query, 'bpNo')
  return bpNo === customerId ? body.bpNo : (bpNo ?? body.bpNo)
}

/** An empty value counts as absent. A value that is not a string is rejected later by input validation. */
function namedIn(input: unknown, name: 'companyId' | 'bpNo'): string | undefined {
  const named = (input as Record<string, unknown> | null | undefined)?.[name]
  return typeof named === 'string' && named !== '' ? named : undefined
}
