import { assertOwnCompany, type Dealer } from '../../domain/identity.ts'
import type { OperationRequest } from '../../http/operations.ts'

/**
 * Our choice: naming another company in `companyId` is 403, in query or body and on every dealer operation. It is
 * looked at before the input is checked, since roles come before input (our choice).
 */
export function refuseOtherCompanies({ caller, query, body }: OperationRequest<Dealer>): void {
  for (const input of [query, body]) assertOwnCompany(caller, companyNamedIn(input))
}

/** An empty one counts as absent; what is no text is a finding of the input check. */
function companyNamedIn(input: unknown): string | undefined {
  const named = (input as { companyId?: unknown } | null | undefined)?.companyId
  return typeof named === 'string' && named !== '' ? named : undefined
}
