import { checkCard } from '../domain/cards.ts'
import { checkSigningRequest, issueCertificate, readRequestFields } from '../domain/security-factors.ts'

/** What the wallet does for people without a server: the command line shows it. */
export const walletTools = { checkCard, checkSigningRequest, issueCertificate, readRequestFields }
