import { defineOperations } from '#contract/operation.ts'
import { ctiToken } from '#contract/records/guest/cti-token.ts'

export const ctiTokenOperations = defineOperations(
  { scope: 'guests', tag: 'Cti' },
  {
    3: {
      route: 'POST /stg/us/cti/guest/token',
      summary: 'Create a call center token',
      reply: ctiToken,
      otherStatuses: [201, 404],
    },
  },
)
