import { defineOperations } from '#contract/operation.ts'
import { ctiToken } from '#contract/records/guest/cti-token.ts'

export const ctiTokenOperations = defineOperations(
  { scope: 'guests', tag: 'Cti' },
  {
    3: {
      route: 'POST /stg/us/cti/guest/token',
      summary: 'Get a token for the call center',
      reply: ctiToken,
      otherStatuses: [201, 404],
    },
  },
)
