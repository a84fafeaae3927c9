import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { tolerantFilter } from '#contract/records/parameters.ts'
import { customer, customerChanges, customerDraft, responseEntity } from '#contract/records/dealer/customer.ts'
import { companyId, customerNumber } from '../parameters.ts'

const searchQuery = z.object({
  firstName: tolerantFilter.optional().meta({ description: 'First name, ignoring case', example: 'Pat' }),
  lastName: tolerantFilter.optional().meta({ description: 'Last name, ignoring case', example: 'Doe' }),
  zipCode: tolerantFilter
    .optional()
    .meta({ description: 'ZIP code. Five digits also match 5+4 codes.', example: '07660' }),
  phoneNumber: tolerantFilter
    .optional()
    .meta({ description: 'Phone number in any common notation', example: '201-555-0143' }),
  bpNo: tolerantFilter.optional().meta({ description: 'Business partner number', example: '1000000001' }),
  companyId,
})

export const customerOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal' },
  {
    6: {
      route: 'GET /stg/us/dealer/customers',
      summary: 'Find a customer',
      description:
        'Returns the matching customer with the lowest `bpNo`, and the number of matches in `x-total-count`.',
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
      description: 'Absent fields do not change. Null or an empty string removes `address2` or `mobilePhone`.',
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
