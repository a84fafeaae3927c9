import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checkAvailability } from '../domain/wallet/device-models.ts'
import { DomainError } from '../domain/errors.ts'
import { countHeader } from '../http/input/request-rules.ts'
import type { ZodTypeProvider } from '../http/zod.ts'
import { availability, availabilityHeaders, availabilityQuery, walletError } from '../schemas/wallet/device-model.ts'
import { JSON_TYPE, replyWithResult } from './errors.ts'

const PATH = '/wallet/cmn/v2.0/device/available'

/** Document 2, part b: the availability check of the wallet. */
export async function wallet(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(replyWithResult)

  app.withTypeProvider<ZodTypeProvider>().get(PATH, {
    config: { operation: 'checkAvailability', source: 'document 2, section 4', judgesInput: true },
    schema: {
      tags: ['Wallet'],
      summary: 'Device availability check',
      headers: availabilityHeaders,
      querystring: availabilityQuery,
      produces: [JSON_TYPE],
      response: { 200: availability, 400: walletError, 500: walletError },
    },
    handler: async (request, reply) => {
      const partnerCode = headerOf(request, 'partnercode')
      const found = await checkAvailability(request.ports, { ...request.query, partnerCode })
      reply.header('content-type', JSON_TYPE)
      return { resultCode: '0', resultMessage: 'SUCCESS', ...found }
    },
  })

  app.route({
    method: ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    url: PATH,
    onRequest: refuseMethod,
    handler: refuseMethod,
  })
}

/** Node joins repeated headers: the list lets the rules see that it was given more than once. */
function headerOf(request: FastifyRequest, name: string): unknown {
  const value = request.headers[name]
  return countHeader(request, name) > 1 ? [value] : value
}

async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<never> {
  reply.header('allow', 'GET, HEAD')
  throw new DomainError('method-not-allowed', 'this address takes GET and HEAD', { source: 'our choice' })
}
