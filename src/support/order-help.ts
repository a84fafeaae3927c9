import { z } from 'zod'
import { listContactReasons, requireOrderHelpForm } from '../domain/guest/order-help.ts'
import { filter } from '../http/input/parameters.ts'
import { contactReasonList, orderHelpForm } from '../schemas/guest/order-help.ts'
import { operation, refusals, type SupportApp } from './operation.ts'

const reasonId = filter.meta({ description: 'A reason of operation 1', example: 'ORDER_STATUS' })

export function orderHelp(app: SupportApp): void {
  app.get('/stg/us/contact/reason', {
    config: operation(1),
    schema: {
      tags: ['Order Help'],
      summary: 'List the reasons to ask about an order',
      response: { 200: contactReasonList, ...refusals(404) },
    },
    handler: async ({ ports }) => listContactReasons(ports),
  })

  app.get('/stg/us/contact/reason/fields', {
    config: operation(2),
    schema: {
      tags: ['Order Help'],
      summary: 'List the form fields of a reason',
      querystring: z.object({ reasonId }),
      response: { 200: orderHelpForm, ...refusals(404) },
    },
    handler: async ({ ports, query }) => requireOrderHelpForm(ports, query.reasonId),
  })
}
