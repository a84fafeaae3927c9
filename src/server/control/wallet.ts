import { walletOperations } from '#contract/control/wallet.ts'
import { checkCard } from '../domain/wallet/cards.ts'
import { issueCertificate } from '../domain/wallet/security-factors.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { implementControl } from './context.ts'

export const walletTools = implementControl(walletOperations, {
  checkCard: async (request) => checkCard(readRawBody(request)),
  issueCertificate: async ({ ports, body }) => issueCertificate(ports, body.request),
})
