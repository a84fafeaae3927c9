import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { tolerantFilter } from '#contract/records/parameters.ts'
import { contactReasonList, orderHelpForm } from '#contract/records/guest/order-help.ts'

const reasonId = tolerantFilter.meta({ description: 'Reason ID from operation 1', example: 'ORDER_STATUS' })

export const orderHelpOperations = defineOperations(
  { scope: 'users', tag: 'Order Help' },
  {
    1: {
      route: 'GET /stg/us/contact/reason',
      summary: 'List contact reasons',
      reply: contactReasonList,
      otherStatuses: [404],
    },
    2: {
      route: 'GET /stg/us/contact/reason/fields',
      summary: 'List form fields of a reason',
      query: z.object({ reasonId }),
      reply: orderHelpForm,
      otherStatuses: [404],
      example: { query: { reasonId: 'ORDER_STATUS' } },
    },
  },
)
