import { checkCard } from '../domain/wallet/cards.ts'
import { checkSigningRequest, issueCertificate, readRequestFields } from '../domain/wallet/security-factors.ts'

/** What the wallet does for people without a server: the command line shows it. */
export const walletTools = { checkCard, checkSigningRequest, issueCertificate, readRequestFields }
