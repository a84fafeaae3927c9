import * as z from 'zod'
import { checkReply, checkRequest } from '../records/wallet/card.ts'
import { signedCertificate } from '../records/wallet/signing-request.ts'
import { defineControl } from './define.ts'

export const walletOperations = defineControl('Wallet', {
  checkCard: {
    // Findings in a card are the answer and not a refusal: the domain judges the body as it is.
    validatesItself: true,
    summary: 'Everything that is wrong with a card, errors and warnings apart',
    body: checkRequest,
    reply: checkReply,
    example: {
      body: { barcode: { serialType: 'BARCODE', ptFormat: 'BARCODE', ptSubFormat: 'EAN_13', value: '4006381333931' } },
    },
  },
  issueCertificate: {
    summary: 'A certificate for a signing request, by the local authority',
    body: z.strictObject({ request: z.string().max(65_536).meta({ description: 'PEM' }) }),
    reply: signedCertificate,
    example: { needs: 'a signing request, from `vendor-cloud wallet request`' },
  },
})
