import { defineOperations } from '#contract/operation.ts'
import { disputeDraft } from '#contract/records/dealer/dispute.ts'
import { serviceRequest } from '#contract/records/dealer/service-request.ts'

export const disputeOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal', awaitsProgress: true },
  {
    15: {
      route: 'POST /stg/us/dealer/dispute',
      summary: 'Dispute a purchase date',
      body: disputeDraft,
      reply: serviceRequest,
      otherStatuses: [201, 404],
      optionalBody: true,
      example: {
        body: {
          serial: '0TV55XYZ12A',
          modelCode: 'VM-TV55',
          bpNo: '1000000001',
          receiptFileKey: 'receipt-0001',
          purchaseDate: '2026-01-15',
        },
      },
    },
  },
)
