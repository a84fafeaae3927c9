import { defineOperations } from '#contract/operation.ts'
import { availability, availabilityHeaders, availabilityQuery } from '#contract/records/wallet/device-model.ts'

export const WALLET_TYPE = 'application/json;charset=UTF-8'

export const walletOperations = defineOperations(
  { scope: 'partners', tag: 'Wallet' },
  {
    checkAvailability: {
      route: 'GET /wallet/cmn/v2.0/device/available',
      summary: 'Check wallet availability',
      headers: availabilityHeaders,
      query: availabilityQuery,
      validatesItself: true,
      produces: [WALLET_TYPE],
      reply: availability,
      example: { headers: { partnerCode: 'partner-1001' }, query: { modelName: 'VM-S100', serviceType: 'WALLET' } },
    },
  },
)
