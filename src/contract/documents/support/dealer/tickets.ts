import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { direction, filter, ignorable, int32From, pageSize, tolerantFilter } from '#contract/records/parameters.ts'
import { serviceRequest, serviceRequestList } from '#contract/records/dealer/service-request.ts'
import { ticketSortFields } from '#contract/records/dealer/ticket.ts'
import { ticketStatus } from '#contract/records/progress.ts'
import { companyId } from '../parameters.ts'

const SHAPE = 'document 1, section 4, ticket list'

const ticketQuery = z.object({
  statusList: z
    .array(ticketStatus.meta({ source: SHAPE }))
    .max(10)
    .optional()
    .meta({ tolerated: z.array(z.string()).max(10) }),
  bpNoList: z
    .array(filter)
    .max(100)
    .optional()
    .meta({ description: 'Values of `bpNo`', tolerated: z.array(z.string()).max(100) }),
  'sorts[0].field': ignorable(
    z
      .enum([...ticketSortFields, 'srId'])
      .transform((field) => (field === 'srId' ? 'srid' : field))
      .optional(),
  ).meta({ choice: 'list-sorting', description: 'Field to sort by. `srId` is the same as `srid`.' }),
  'sorts[0].direction': ignorable(direction.optional()).describe(
    'Default: asc with a sort field. Without a sort field, newest first.',
  ),
  subCategory: tolerantFilter
    .optional()
    .meta({ description: 'ID or name of the category of the model', example: 'Televisions' }),
  ticketNumber: tolerantFilter.optional(),
  companyId,
  phoneNumber: tolerantFilter
    .optional()
    .meta({ description: 'Phone number in any common notation', example: '201-555-0143' }),
  srId: tolerantFilter.optional(),
  serviceType: tolerantFilter
    .optional()
    .meta({ description: 'IH: in-home, SR: stock repair, DS: dispute', example: 'IH' }),
  offset: int32From(0).meta({ source: SHAPE, choice: 'paging' }).default(0),
  limit: pageSize.meta({ source: SHAPE }).optional(),
})

export const ticketOperations = defineOperations(
  { scope: 'dealers', tag: 'Dealer Portal', awaitsProgress: true },
  {
    19: {
      route: 'GET /stg/us/dealer/tickets',
      summary: 'List tickets',
      description: "Tickets of the dealer's company, by default newest first.",
      query: ticketQuery,
      reply: serviceRequestList,
      otherStatuses: [404],
      example: { query: { statusList: ['E0001'], limit: '1' } },
    },
    20: {
      route: 'GET /stg/us/dealer/tickets/:id',
      summary: 'Get a ticket',
      params: z.object({
        id: z.string().meta({ description: 'ID of the service request (`srid`)', example: '4100000017' }),
      }),
      reply: serviceRequest,
      otherStatuses: [404],
      example: { params: { id: '4100000017' } },
    },
  },
)
