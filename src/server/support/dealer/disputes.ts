import { submitDispute } from '../../domain/dealer/disputes.ts'
import { disputeDraft } from '../../../contract/records/dealer/dispute.ts'
import { serviceRequest } from '../../../contract/records/dealer/service-request.ts'
import { dealerOperation } from '../operation.ts'

export const disputes = [
  dealerOperation({
    operation: 15,
    route: 'POST /stg/us/dealer/dispute',
    summary: 'Submit a dispute about a purchase date',
    body: disputeDraft,
    reply: serviceRequest,
    further: [201, 404],
    optionalBody: true,
    run: async ({ ports, caller, body }) => submitDispute(ports, caller, body),
  }),
]
