import type { FastifyInstance } from 'fastify'
import { checkCard } from '../domain/wallet/cards.ts'
import { checkAvailability } from '../domain/wallet/device-models.ts'
import { checkSigningRequest, issueCertificate, readRequestFields } from '../domain/wallet/security-factors.ts'
import { countHeader } from '../http/input/headers.ts'
import { addOperations, operationsOf } from '../http/operations.ts'
import {
  availability,
  availabilityHeaders,
  availabilityQuery,
  walletError,
} from '../../contract/records/wallet/device-model.ts'
import { JSON_TYPE, replyWithResult } from './errors.ts'

const PATH = '/wallet/cmn/v2.0/device/available'

const available = operationsOf<undefined>('Wallet')({
  operation: 'checkAvailability',
  route: `GET ${PATH}`,
  summary: 'Device availability check',
  headers: availabilityHeaders,
  query: availabilityQuery,
  judgesInput: true,
  produces: [JSON_TYPE],
  reply: availability,
  run: async (request, reply) => {
    const given = request.headers['partnercode']
    // Node joins repeated headers: the list lets the rules see that it was given more than once.
    const partnerCode = countHeader(request, 'partnercode') > 1 ? [given] : given
    const found = await checkAvailability(request.ports, { ...request.query, partnerCode })
    reply.header('content-type', JSON_TYPE)
    return { resultCode: '0', resultMessage: 'SUCCESS', ...found }
  },
})

/** Document 2, part b: the availability check of the wallet. */
export async function wallet(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(replyWithResult)
  addOperations(app, {
    operations: [available],
    admit: () => undefined,
    refusals: [400, 500],
    errorBody: walletError,
  })
  // What is unknown below its address is refused in the wallet's words, too.
  app.register(async (below) => void below.setNotFoundHandler(() => {}), { prefix: '/wallet' })
}

/** What the wallet does for people without a server: the command line shows it. */
export const walletTools = { checkCard, checkSigningRequest, issueCertificate, readRequestFields }
