import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { tolerantFilter } from '#contract/records/parameters.ts'
import { dealerProduct, dealerProductDraft, dealerProductList } from '#contract/records/dealer/product.ts'
import { companyId, customerNumber } from '../parameters.ts'

const ofCustomer = {
  params: z.object({ customerId: customerNumber }),
  query: z.object({
    bpNo: tolerantFilter
      .optional()
      .meta({ description: 'Same value as in the path. Another value returns 404.', example: '1000000001' }),
    companyId,
    serviceType: tolerantFilter.optional().meta({ description: 'IH: in-home, SR: stock repair', example: 'IH' }),
    modelCode: tolerantFilter.optional().meta({ description: 'Model code', example: 'VM-TV55' }),
    serialNumber: tolerantFilter.optional().meta({ description: 'Serial number', example: '0TV55XYZ12A' }),
  }),
}

export const registeredProductOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal' },
  {
    11: {
      route: 'GET /stg/us/dealer/customers/:customerId/product',
      summary: 'Find a registered product',
      description: 'Returns the matching product that was registered last.',
      ...ofCustomer,
      reply: dealerProduct,
      otherStatuses: [404],
      example: { params: { customerId: '1000000001' } },
    },
    12: {
      route: 'GET /stg/us/dealer/customers/:customerId/products',
      summary: 'List registered products of a customer',
      description: 'Products of the customer, last registered first.',
      ...ofCustomer,
      reply: dealerProductList,
      otherStatuses: [404],
      example: { params: { customerId: '1000000001' } },
    },
    14: {
      route: 'POST /stg/us/dealer/customers/:id/products',
      summary: 'Register a product',
      params: z.object({ id: customerNumber }),
      body: dealerProductDraft,
      reply: dealerProduct,
      otherStatuses: [201, 404],
      example: {
        params: { id: '1000000001' },
        body: { modelCode: 'VM-WM90', serialNumber: 'WM90AB12CD3', serviceType: 'IH', purchaseDate: '2026-01-15' },
      },
    },
  },
)
