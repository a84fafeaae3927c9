import type { FastifyInstance } from 'fastify'
import { checkAvailability } from '../domain/wallet/device-models.ts'
import { countHeader } from '../http/input/headers.ts'
import { addOperations, toOperations } from '../http/operations.ts'
import { WALLET_TYPE, walletOperations } from '#contract/documents/wallet/availability.ts'
import { walletError } from '#contract/records/wallet/device-model.ts'
import { replyWithResult } from './errors.ts'

const available = toOperations<undefined, typeof walletOperations>(walletOperations, {
  checkAvailability: async (request, reply) => {
    const given = request.headers['partnercode']
    // Node joins repeated headers into one value. The value is passed on as a list, which is invalid.
    const partnerCode = countHeader(request, 'partnercode') > 1 ? [given] : given
    const found = await checkAvailability(request.ports, { ...request.query, partnerCode })
    reply.header('content-type', WALLET_TYPE)
    return { resultCode: '0', resultMessage: 'SUCCESS', ...found }
  },
})

export async function wallet(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(replyWithResult)
  addOperations(app, {
    operations: available,
    authenticate: () => undefined,
    refusals: [400, 500],
    errorBody: walletError,
  })
  // Errors for unknown paths below `/wallet` must also have the format of the wallet API.
  app.register(async (below) => void below.setNotFoundHandler(() => {}), { prefix: '/wallet' })
}
