import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { tolerantFilter } from '#contract/records/parameters.ts'
import { customer, customerChanges, customerDraft, responseEntity } from '#contract/records/dealer/customer.ts'
import { companyId, customerNumber } from '../parameters.ts'

const searchQuery = z.object({
  firstName: tolerantFilter.optional().meta({ description: 'In any letter case', example: 'Pat' }),
  lastName: tolerantFilter.optional().meta({ description: 'In any letter case', example: 'Doe' }),
  zipCode: tolerantFilter.optional().meta({ description: 'Five digits find 5+4 codes too', example: '07660' }),
  phoneNumber: tolerantFilter.optional().meta({ description: 'In any usual notation', example: '201-555-0143' }),
  bpNo: tolerantFilter.optional().meta({ example: '1000000001' }),
  companyId,
})

export const customerOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal' },
  {
    6: {
      route: 'GET /stg/us/dealer/customers',
      summary: 'Search a customer',
      description: 'Of several that match, the one with the lowest bpNo; `x-total-count` says how many match.',
      query: searchQuery,
      reply: customer,
      otherStatuses: [404],
      example: { query: { bpNo: '1000000001' } },
    },
    7: {
      route: 'POST /stg/us/dealer/customers',
      summary: 'Create a customer',
      body: customerDraft,
      reply: responseEntity,
      otherStatuses: [201, 404],
      example: {
        body: {
          firstName: 'Priya',
          lastName: 'Nair',
          email: 'priya.nair@example.com',
          phoneNumber: '+12015550171',
          address1: '12 Main Street',
          city: 'Ridgefield Park',
          state: 'NJ',
          zipCode: '07660',
        },
      },
    },
    13: {
      route: 'POST /stg/us/dealer/customers/:id',
      summary: 'Edit a customer',
      description: 'Absent fields stay as they are; null or an empty text clears address2 and mobilePhone.',
      params: z.object({ id: customerNumber }),
      body: customerChanges,
      keepsEmpty: true,
      reply: responseEntity,
      otherStatuses: [201, 404],
      example: {
        params: { id: '1000000001' },
        body: {
          firstName: 'Nora',
          lastName: 'Whitfield',
          email: 'nora.whitfield@example.com',
          phoneNumber: '+12015550143',
          address1: '214 Mount Vernon Street',
          city: 'Ridgefield Park',
          state: 'NJ',
          zipCode: '07660',
          address2: 'Apartment 4',
        },
      },
    },
  },
)
