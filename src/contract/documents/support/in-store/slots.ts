import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { isoDate, textUpTo } from '#contract/records/formats.ts'
import { inStoreSchedule } from '#contract/records/appointments/schedule.ts'
import { zipCodeQuery } from '#contract/records/guest/zip-code.ts'
import { lookup } from '#contract/records/parameters.ts'
import { sc4uObjectId } from '../parameters.ts'

const slotsQuery = z.object({
  start: isoDate.optional().describe('First day. Default: today in the time zone of the service center.'),
  end: isoDate
    .optional()
    .describe('Last day. Default: two weeks after the first day. Days that cannot be booked yet are left out.'),
  ascType: textUpTo(20).meta({ example: 'WALKIN' }),
  ascCode: textUpTo(20).meta({ example: 'ASC001' }),
  zipCode: lookup(zipCodeQuery.optional()).describe('Ignored'),
  sc4uObjectId,
  symptoms: z
    .array(textUpTo(40))
    .max(5)
    .optional()
    .meta({
      description: 'Symptom IDs from operation 38. Ignored.',
      tolerated: z.array(z.string()),
    }),
})

export const inStoreSlotOperations = defineOperations(
  { scope: 'anonymous', tag: 'In Store', awaitsProgress: true },
  {
    37: {
      route: 'GET /stg/us/instore/noauth/slots',
      summary: 'List walk-in slots',
      query: slotsQuery,
      reply: inStoreSchedule,
      otherStatuses: [404],
      example: { query: { ascType: 'WALKIN', ascCode: 'ASC001' } },
    },
  },
)
