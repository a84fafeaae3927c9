import type { FastifyRequest } from 'fastify'
import { assertOwnCompany } from '../../domain/identity.ts'
import { dealerOf } from '../identity.ts'
import type { SupportApp } from '../operation.ts'

/**
 * Our choice: naming another company in `companyId` is 403, in query or body and on every dealer operation. It is
 * looked at before the input is checked, since roles come before input (our choice).
 */
export function ownCompany(app: SupportApp): void {
  app.addHook('preValidation', async (request: FastifyRequest) => {
    for (const input of [request.query, request.body]) assertOwnCompany(dealerOf(request), companyNamedIn(input))
  })
}

/** An empty one counts as absent; what is no text is a finding of the input check. */
function companyNamedIn(input: unknown): string | undefined {
  const named = (input as { companyId?: unknown } | null | undefined)?.companyId
  return typeof named === 'string' && named !== '' ? named : undefined
}
