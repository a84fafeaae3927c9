import { z } from 'zod'
import { checkCard } from '../domain/wallet/cards.ts'
import { issueCertificate } from '../domain/wallet/security-factors.ts'
import { readRawBody } from '../http/input/json-body.ts'
import { errorBody } from '../http/json-errors.ts'
import { checkReply, checkRequest } from '../schemas/wallet/card.ts'
import type { ControlApp } from './context.ts'

export function walletTools(app: ControlApp): void {
  const tags = ['Wallet']

  app.post('/_control/wallet/check', {
    // What is wrong with a card is the answer and not a refusal: the domain judges the body as it is.
    config: { operation: 'checkCard', judgesInput: true },
    schema: {
      tags,
      summary: 'Everything that is wrong with a card, errors and warnings apart',
      body: checkRequest,
      response: { 200: checkReply, 400: errorBody, 403: errorBody },
    },
    handler: async (request) => checkCard(readRawBody(request)),
  })

  app.post('/_control/wallet/certificates', {
    config: { operation: 'issueCertificate' },
    schema: {
      tags,
      summary: 'A certificate for a signing request, by the local authority',
      body: z.strictObject({ request: z.string().max(65_536).meta({ description: 'PEM' }) }),
      response: {
        200: z.object({ certificate: z.string(), authority: z.string() }).meta({ description: 'PEM' }),
        400: errorBody,
        403: errorBody,
      },
    },
    handler: async ({ ports, body }) => issueCertificate(ports, body.request),
  })
}
