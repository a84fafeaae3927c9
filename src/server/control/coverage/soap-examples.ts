import { type BillingOperation, billingOperations } from '../../../contract/documents/billing/operations.ts'
import type { CoverageMiss } from '../../../contract/records/control/coverage.ts'
import { control, faultFor } from './coverage-examples.ts'

/** Tokens are stored by their SHA-256; this is the one of the example's token. */
const TOKEN_DIGEST = '69d62c062d67d8d2ce9068c1898fb9746c911839aa88ad1628d090f4c8e47f05'
const issueToken = (issuedAt: string) =>
  control('PUT', `records/serviceTokens/${TOKEN_DIGEST}`, {
    tokenDigest: TOKEN_DIGEST,
    sellerSecret: billingOperations.createServiceToken.example.secret,
    issuedAt,
  })

export interface SoapExample extends Pick<CoverageMiss, 'before'> {
  operation: BillingOperation
  inputs: Readonly<Record<string, string>>
}
const secretOf = (secret: string): SoapExample => ({ operation: 'createServiceToken', inputs: { secret } })
const asking = (issuedAt: string): SoapExample => ({
  operation: 'getSubscriptionStatus',
  inputs: billingOperations.getSubscriptionStatus.example,
  before: [issueToken(issuedAt)],
})
export const expired = asking('2000-01-01T00:00:00.000Z')
export const nothing: SoapExample = { operation: 'createServiceToken', inputs: {} }

const success: SoapExample = { operation: 'createServiceToken', inputs: billingOperations.createServiceToken.example }

export const soapCalls: readonly SoapExample[] = [success, asking('2999-01-01T00:00:00.000Z')]

/** Document 3, section 7 numbers these faults. */
export const soapCodes: Readonly<Record<string, SoapExample>> = {
  10: nothing,
  15: secretOf('no digits'),
  300: secretOf('999999999999'),
  301: expired,
  '-1': { ...success, before: [faultFor('createServiceToken', { fault: -1 })] },
}
