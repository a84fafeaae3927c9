import { z } from 'zod'
import { checkCard } from '../domain/wallet/cards.ts'
import { issueCertificate } from '../domain/wallet/security-factors.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { checkReply, checkRequest } from '../../contract/records/wallet/card.ts'
import { signedCertificate } from '../../contract/records/wallet/signing-request.ts'
import { controlOperations } from './context.ts'

const declare = controlOperations('Wallet')

export const walletTools = [
  declare({
    operation: 'checkCard',
    route: 'POST /_control/wallet/check',
    // What is wrong with a card is the answer and not a refusal: the domain judges the body as it is.
    judgesInput: true,
    summary: 'Everything that is wrong with a card, errors and warnings apart',
    body: checkRequest,
    reply: checkReply,
    further: [400],
    run: async (request) => checkCard(readRawBody(request)),
  }),

  declare({
    operation: 'issueCertificate',
    route: 'POST /_control/wallet/certificates',
    summary: 'A certificate for a signing request, by the local authority',
    body: z.strictObject({ request: z.string().max(65_536).meta({ description: 'PEM' }) }),
    reply: signedCertificate,
    further: [400],
    run: async ({ ports, body }) => issueCertificate(ports, body.request),
  }),
]
