import { z } from 'zod'
import { createCustomer, editCustomer, searchCustomers } from '../../domain/dealer/customers.ts'
import { filter } from '../../http/input/parameters.ts'
import { customer, customerChanges, customerDraft, responseEntity } from '../../schemas/dealer/customer.ts'
import { dealerOf } from '../identity.ts'
import { operation, refusals, type SupportApp } from '../operation.ts'
import { companyId, customerNumber } from './parameters.ts'

const tags = ['Dealer Portal']

const searchQuery = z.object({
  firstName: filter.optional().meta({ description: 'In any letter case', example: 'Pat' }),
  lastName: filter.optional().meta({ description: 'In any letter case', example: 'Doe' }),
  zipCode: filter.optional().meta({ description: 'Five digits find 5+4 codes too', example: '07660' }),
  phoneNumber: filter.optional().meta({ description: 'In any usual notation', example: '201-555-0143' }),
  bpNo: filter.optional().meta({ example: '1000000001' }),
  companyId,
})

export function customers(app: SupportApp): void {
  app.get('/stg/us/dealer/customers', {
    config: operation(6),
    schema: {
      tags,
      summary: 'Search a customer',
      description: 'Of several that match, the one with the lowest bpNo; `x-total-count` says how many match.',
      querystring: searchQuery,
      response: { 200: customer, ...refusals(404) },
    },
    handler: async (request, reply) => {
      const found = await searchCustomers(request.ports, dealerOf(request), request.query)
      reply.header('x-total-count', found.totalCount)
      return found.customer
    },
  })

  app.post('/stg/us/dealer/customers', {
    config: operation(7),
    schema: {
      tags,
      summary: 'Create a customer',
      body: customerDraft,
      response: { 200: responseEntity, ...refusals(404) },
    },
    handler: async (request) => {
      const created = await createCustomer(request.ports, dealerOf(request), request.body)
      return { status: 200, code: 'OK', message: 'The customer was created', body: created }
    },
  })

  app.post('/stg/us/dealer/customers/:id', {
    config: operation(13),
    schema: {
      tags,
      summary: 'Edit a customer',
      description: 'Absent fields stay as they are.',
      params: z.object({ id: customerNumber }),
      body: customerChanges,
      response: { 200: responseEntity, ...refusals(404) },
    },
    handler: async (request) => {
      const edited = await editCustomer(request.ports, dealerOf(request), request.params.id, request.body)
      return { status: 200, code: 'OK', message: 'The customer was changed', body: edited }
    },
  })
}
