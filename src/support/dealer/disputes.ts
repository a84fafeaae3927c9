import { submitDispute } from '../../domain/dealer/disputes.ts'
import { disputeDraft } from '../../schemas/dealer/dispute.ts'
import { serviceRequest } from '../../schemas/dealer/service-request.ts'
import { dealerOf } from '../identity.ts'
import { operation, refusals, type SupportApp } from '../operation.ts'

export function disputes(app: SupportApp): void {
  app.post('/stg/us/dealer/dispute', {
    config: operation(15),
    schema: {
      tags: ['Dealer Portal'],
      summary: 'Submit a dispute about a purchase date',
      body: disputeDraft,
      response: { 200: serviceRequest, ...refusals(404) },
    },
    handler: async (request) => submitDispute(request.ports, dealerOf(request), request.body),
  })
}
