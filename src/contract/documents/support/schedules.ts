import * as z from 'zod'
import { defineOperations } from '#contract/operation.ts'
import { flag, lookup } from '#contract/records/parameters.ts'
import { modelCode, textUpTo } from '#contract/records/formats.ts'
import { DEFAULT_MODEL, schedule } from '#contract/records/appointments/schedule.ts'
import { visitType } from '#contract/records/appointments/service-center.ts'
import { zipCodeQuery } from '#contract/records/guest/zip-code.ts'

const SHAPE = 'document 1, section 4, schedule query'

/** Input and response of operations 16 and 25 (document 1, section 4, schedule query). */
const scheduleLookup = {
  query: z.object({
    zipCode: lookup(zipCodeQuery.default('07660')),
    modelCode: lookup(modelCode.optional()).meta({
      description: 'Model code. Without it, `subType` selects the product.',
      default: DEFAULT_MODEL,
    }),
    inWarranty: flag
      .meta({ source: SHAPE })
      .default(true)
      .describe('false: only centers that accept out-of-warranty work'),
    ascCode: lookup(textUpTo(20).optional()).meta({
      description: 'Code of the only service center to search',
      example: 'ASC001',
    }),
    subType: lookup(textUpTo(40).optional()).meta({
      description: 'Product subtype. Must match the model.',
      example: 'TV',
    }),
    isReschedule: flag
      .meta({ source: SHAPE })
      .default(false)
      .describe('true: a full window counts as available if the caller has a booking in it'),
    type: lookup(visitType.meta({ source: SHAPE }).default('PI')).describe(
      'Type of visit. Only centers that offer it are searched.',
    ),
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
        summary: 'List in-home appointment slots',
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
        summary: 'List in-home appointment slots (dealer)',
        example: { query: { zipCode: '07660', modelCode: 'VM-TV55' } },
      },
    },
  ),
}
