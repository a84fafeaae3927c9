import { z } from 'zod'
import { listInStoreSlots } from '../../domain/in-store/in-store-slots.ts'
import { isoDate } from '../../../contract/records/formats.ts'
import { inStoreSchedule } from '../../../contract/records/appointments/schedule.ts'
import { zipCodeQuery } from '../../../contract/records/guest/zip-code.ts'
import { anonymousOperation } from '../operation.ts'
import { sc4uObjectId } from './parameters.ts'

const slotsQuery = z.object({
  start: isoDate.optional().meta({ description: "First day; the service center's date when absent" }),
  end: isoDate
    .optional()
    .meta({ description: 'Last day, at most 31 days later; two weeks after the start when absent' }),
  ascType: z.string().max(20).meta({ example: 'WALKIN' }),
  ascCode: z.string().max(20).meta({ example: 'ASC001' }),
  zipCode: zipCodeQuery.optional(),
  sc4uObjectId,
  symptoms: z.array(z.string().max(40)).max(5).optional().meta({ description: 'Symptom ids of operation 38' }),
})

export const inStoreSlots = [
  anonymousOperation({
    operation: 37,
    route: 'GET /stg/us/instore/noauth/slots',
    summary: 'List the walk-in slots of a service center',
    query: slotsQuery,
    reply: inStoreSchedule,
    further: [404],
    run: async ({ ports, query }) => listInStoreSlots(ports, query),
  }),
]
