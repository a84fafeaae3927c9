import { z } from 'zod'
import { findDealerProduct, listDealerProducts, registerProduct } from '../../domain/dealer/registered-products.ts'
import { filter } from '../../http/input/parameters.ts'
import { offsetPage } from '../../schemas/item-wrapper.ts'
import { dealerProduct, dealerProductDraft } from '../../schemas/dealer/product.ts'
import { dealerOf } from '../identity.ts'
import { operation, refusals, type SupportApp } from '../operation.ts'
import { companyId, customerNumber } from './parameters.ts'

const tags = ['Dealer Portal']

const ofCustomer = {
  params: z.object({ customerId: customerNumber }),
  querystring: z.object({
    bpNo: filter.optional().meta({ description: 'As in the path; a differing one is 404', example: '1000000001' }),
    companyId,
    serviceType: filter.optional().meta({ description: 'IH in-home, SR stock repair', example: 'IH' }),
    modelCode: filter.optional().meta({ example: 'VM-TV55' }),
    serialNumber: filter.optional().meta({ example: '0TV55XYZ12A' }),
  }),
}

export function registeredProducts(app: SupportApp): void {
  app.get('/stg/us/dealer/customers/:customerId/product', {
    config: operation(11),
    schema: {
      tags,
      summary: 'Find a registered product of a customer',
      description: 'Of several that match, the one registered last.',
      ...ofCustomer,
      response: { 200: dealerProduct, ...refusals(404) },
    },
    handler: async (request) => {
      return findDealerProduct(request.ports, dealerOf(request), request.params.customerId, request.query)
    },
  })

  app.get('/stg/us/dealer/customers/:customerId/products', {
    config: operation(12),
    schema: {
      tags,
      summary: 'List the registered products of a customer',
      description: 'The one registered last comes first.',
      ...ofCustomer,
      response: { 200: offsetPage(dealerProduct), ...refusals(404) },
    },
    handler: async (request) => {
      return listDealerProducts(request.ports, dealerOf(request), request.params.customerId, request.query)
    },
  })

  app.post('/stg/us/dealer/customers/:id/products', {
    config: operation(14),
    schema: {
      tags,
      summary: 'Register a product',
      params: z.object({ id: customerNumber }),
      body: dealerProductDraft,
      response: { 200: dealerProduct, ...refusals(404) },
    },
    handler: async (request) => registerProduct(request.ports, dealerOf(request), request.params.id, request.body),
  })
}
