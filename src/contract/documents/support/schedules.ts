import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { flag, lookup } from '#contract/records/parameters.ts'
import { modelCode, textUpTo } from '#contract/records/formats.ts'
import { DEFAULT_MODEL, schedule } from '#contract/records/appointments/schedule.ts'
import { visitType } from '#contract/records/appointments/service-center.ts'
import { zipCodeQuery } from '#contract/records/guest/zip-code.ts'

const SHAPE = 'document 1, section 4, schedule query'

/** Document 1, section 4, schedule query: of operations 16 and 25. */
const scheduleLookup = {
  query: z.object({
    zipCode: lookup(zipCodeQuery.default('07660')),
    modelCode: lookup(modelCode.optional()).meta({
      description: 'Without it `subType` says what the product is',
      default: DEFAULT_MODEL,
    }),
    inWarranty: flag
      .meta({ source: SHAPE })
      .default(true)
      .meta({ description: 'false: only centers that take work out of warranty' }),
    ascCode: lookup(textUpTo(20).optional()).meta({ description: 'Only this service center', example: 'ASC001' }),
    subType: lookup(textUpTo(40).optional()).meta({ description: "Product subtype, the model's", example: 'TV' }),
    isReschedule: flag.meta({ source: SHAPE }).default(false).meta({
      description: 'Selects the reschedule flow: a full window in which you hold a place yourself is available',
    }),
    type: lookup(visitType.meta({ source: SHAPE }).default('PI')).meta({
      description: 'Kind of visit: only centers that make such visits',
    }),
  }),
  reply: schedule,
  otherStatuses: [404],
  words: { 404: 'schedule not found' },
} as const

export const scheduleOperations = {
  ...defineOperations(
    { scope: 'guests', tag: 'Schedules', awaitsProgress: true },
    {
      25: {
        ...scheduleLookup,
        route: 'GET /stg/us/guest/schedule',
        summary: 'Look up in-home appointments',
        example: { query: { zipCode: '07660' } },
      },
    },
  ),
  ...defineOperations(
    { scope: 'dealers', tag: 'Dealer Portal', awaitsProgress: true },
    {
      16: {
        ...scheduleLookup,
        route: 'GET /stg/us/dealer/schedule',
        summary: 'Look up in-home appointments for a dealer',
        example: { query: { zipCode: '07660', modelCode: 'VM-TV55' } },
      },
    },
  ),
}
