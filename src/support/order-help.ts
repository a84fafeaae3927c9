import { z } from 'zod'
import { listContactReasons, requireOrderHelpForm } from '../domain/guest/order-help.ts'
import { filter } from '../http/input/parameters.ts'
import { contactReasonList, orderHelpForm } from '../schemas/guest/order-help.ts'
import { userOperation } from './operation.ts'

const reasonId = filter.meta({ description: 'A reason of operation 1', example: 'ORDER_STATUS' })

export const orderHelp = [
  userOperation({
    operation: 1,
    method: 'GET',
    path: '/stg/us/contact/reason',
    tag: 'Order Help',
    summary: 'List the reasons to ask about an order',
    reply: contactReasonList,
    further: [404],
    run: async ({ ports }) => listContactReasons(ports),
  }),

  userOperation({
    operation: 2,
    method: 'GET',
    path: '/stg/us/contact/reason/fields',
    tag: 'Order Help',
    summary: 'List the form fields of a reason',
    query: z.object({ reasonId }),
    reply: orderHelpForm,
    further: [404],
    run: async ({ ports, query }) => requireOrderHelpForm(ports, query.reasonId),
  }),
]
