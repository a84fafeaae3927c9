import { z } from 'zod'
import { checkCard } from '../domain/wallet/cards.ts'
import { issueCertificate } from '../domain/wallet/security-factors.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { checkReply, checkRequest } from '../schemas/wallet/card.ts'
import { controlOperation } from './context.ts'

const tag = 'Wallet'

export const walletTools = [
  controlOperation({
    operation: 'checkCard',
    method: 'POST',
    path: '/_control/wallet/check',
    // What is wrong with a card is the answer and not a refusal: the domain judges the body as it is.
    judgesInput: true,
    tag,
    summary: 'Everything that is wrong with a card, errors and warnings apart',
    body: checkRequest,
    reply: checkReply,
    further: [400],
    run: async (request) => checkCard(readRawBody(request)),
  }),

  controlOperation({
    operation: 'issueCertificate',
    method: 'POST',
    path: '/_control/wallet/certificates',
    tag,
    summary: 'A certificate for a signing request, by the local authority',
    body: z.strictObject({ request: z.string().max(65_536).meta({ description: 'PEM' }) }),
    reply: z.object({ certificate: z.string(), authority: z.string() }).meta({ description: 'PEM' }),
    further: [400],
    run: async ({ ports, body }) => issueCertificate(ports, body.request),
  }),
]
