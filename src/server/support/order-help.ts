import { z } from 'zod'
import { listContactReasons, requireOrderHelpForm } from '../domain/guest/order-help.ts'
import { filter } from '../../contract/records/parameters.ts'
import { contactReasonList, orderHelpForm } from '../../contract/records/guest/order-help.ts'
import { userOperations } from './operation.ts'

const declare = userOperations('Order Help')

const reasonId = filter.meta({ description: 'A reason of operation 1', example: 'ORDER_STATUS' })

export const orderHelp = [
  declare({
    operation: 1,
    route: 'GET /stg/us/contact/reason',
    summary: 'List the reasons to ask about an order',
    reply: contactReasonList,
    further: [404],
    run: async ({ ports }) => listContactReasons(ports),
  }),

  declare({
    operation: 2,
    route: 'GET /stg/us/contact/reason/fields',
    summary: 'List the form fields of a reason',
    query: z.object({ reasonId }),
    reply: orderHelpForm,
    further: [404],
    run: async ({ ports, query }) => requireOrderHelpForm(ports, query.reasonId),
  }),
]
